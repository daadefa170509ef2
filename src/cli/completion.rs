//! Completions for shells: each for all names of a dialect.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, ValueHint};
use clap_complete::Shell;

use super::getopt::takes_value;
use super::housekeeping;
use crate::invocation::Dialect;

/// For bash, which would else offer options where a file may stand too.
pub(super) fn bash(dialect: Dialect) -> String {
    let names = dialect.names();
    let (script, first) = (generated(Shell::Bash, dialect), &names[0]);
    format!(
        r#"{script}
_{first}_or_file() {{
    _{first} "$@"
    if [[ $2 != -* && ${{COMPREPLY[0]}} == -* ]]; then
        COMPREPLY=()
    fi
}}

complete -F _{first}_or_file -o bashdefault -o default {}
"#,
        names.join(" ")
    )
}

/// For zsh.
pub(super) fn zsh(dialect: Dialect) -> String {
    let names = dialect.names();
    let (first, all) = (&names[0], names.join(" "));
    generated(Shell::Zsh, dialect)
        .replace(&format!("#compdef {first}\n"), &format!("#compdef {all}\n"))
        .replace(&format!("compdef _{first} {first}\n"), &format!("compdef _{first} {all}\n"))
}

/// For fish.
pub(super) fn fish(dialect: Dialect) -> String {
    let names = dialect.names();
    let others = names[1..].iter().map(|name| format!("complete -c {name} -w {}\n", names[0]));
    others.fold(generated(Shell::Fish, dialect), |script, line| script + &line)
}

/// The script for the dialect's first name.
fn generated(shell: Shell, dialect: Dialect) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(dialect), &dialect.names()[0], &mut script);
    String::from_utf8(script).expect("options are text")
}

/// The dialect's options with what is known of their values, and its operands.
fn command(dialect: Dialect) -> Command {
    let algorithms = (super::rules(dialect).algorithms)();
    super::command(&dialect.invocation())
        .mut_args(|arg| match arg.get_id().as_str() {
            "algorithm" => arg.value_parser(PossibleValuesParser::new(algorithms.iter().copied())),
            "generate" => arg.value_parser(PossibleValuesParser::new(housekeeping::kinds())),
            "base" | "install-links" => arg.value_hint(ValueHint::DirPath),
            "check-list" | "files-from" => arg.value_hint(ValueHint::FilePath),
            _ if takes_value(&arg) => arg.value_hint(ValueHint::Other),
            _ => arg,
        })
        .arg(Arg::new("file").num_args(0..).value_hint(ValueHint::FilePath))
}
