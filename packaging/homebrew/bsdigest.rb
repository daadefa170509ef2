class Bsdigest < Formula
  desc "FreeBSD's md5(1) and its whole family as one fast binary"
  # homepage, url and sha256 follow when a release is published; until then: brew install --HEAD
  license "BSD-2-Clause"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git, branch: "main"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    # The names of coreutils, md5sha1sum and perl stay theirs.
    system bin/"md5", "--install-links", bin
    names = bin.children.map { |program| program.basename.to_s } - ["md5"]

    (man1/"md5.1").write Utils.safe_popen_read(bin/"md5", "--generate", "man")
    names.each { |name| man1.install_symlink "md5.1" => "#{name}.1" }

    generate_completions_from_executable(bin/"md5", "--generate", shell_parameter_format: "complete-")
    # Bash and fish look for them by the name that is typed.
    names.each do |name|
      bash_completion.install_symlink "md5" => name
      fish_completion.install_symlink "md5.fish" => "#{name}.fish"
    end
  end

  test do
    (testpath/"alpha").write "alpha\n"
    assert_equal "MD5 (alpha) = 9f9f90dbe3e5ee1218c86b8839db1995\n", shell_output("#{bin}/md5 alpha")
    assert_equal "d046cd9b7ffb7661e449683313d41f6fc33e3130\n", shell_output("#{bin}/sha1 -q alpha")
    assert_match "verified correct", shell_output("#{bin}/skein1024 -x")
    assert_match "complete -c sha256", (fish_completion/"sha256.fish").read
  end
end
