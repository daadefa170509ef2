//! What holds for every input, against a slow and obvious model, tried on inputs made of random bytes. `BOLERO_RANDOM_ITERATIONS` says
//! on how many. A fuzzer that learns from the program's branches can make these bytes too: see tests/fuzz.

mod command_lines;
mod list_model;
mod lists;
mod messages;
mod names;
mod numbers;

use std::fmt::Debug;

use arbitrary::{Arbitrary, Result, Unstructured};

/// An input and what holds for it.
pub trait Case: for<'a> Arbitrary<'a> + Debug + 'static {
    /// # Panics
    /// When something does not hold.
    fn check(&self);
}

/// An input of any kind.
#[cfg_attr(test, allow(dead_code, reason = "each kind has a test of its own"))]
#[derive(Arbitrary, Debug)]
pub enum Any {
    CommandLine(command_lines::CommandLine),
    List(lists::List),
    Messages(messages::Messages),
    Name(names::Name),
    Number(numbers::Number),
}

impl Case for Any {
    fn check(&self) {
        match self {
            Self::CommandLine(case) => case.check(),
            Self::List(case) => case.check(),
            Self::Messages(case) => case.check(),
            Self::Name(case) => case.check(),
            Self::Number(case) => case.check(),
        }
    }
}

/// Bytes put together from pieces, letters and bytes of any value.
fn mixture(from: &mut Unstructured, pieces: &[&[u8]], most: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for _ in 0..from.int_in_range(0..=most)? {
        match from.int_in_range(0..=3)? {
            0 => bytes.push(from.arbitrary()?),
            1 => bytes.push(from.int_in_range(b'a'..=b'z')?),
            _ => bytes.extend_from_slice(from.choose(pieces)?),
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::marker::PhantomData;

    use bolero::{Driver, ValueGenerator};

    use super::*;

    /// The most bytes an input is made of.
    const MOST: usize = 2000;

    /// Makes inputs of random bytes.
    struct Cases<C>(PhantomData<C>);

    impl<C: Case> ValueGenerator for Cases<C> {
        type Output = C;

        fn generate<D: Driver>(&self, driver: &mut D) -> Option<C> {
            driver.gen_from_bytes(
                || (MOST, Some(MOST)),
                |bytes| Some((MOST, C::arbitrary(&mut Unstructured::new(bytes)).ok()?)),
            )
        }
    }

    fn try_many<C: Case>(count: usize) {
        let mut checked = 0;
        bolero::check!().with_generator(Cases::<C>(PhantomData)).with_iterations(count).for_each(|case| {
            case.check();
            checked += 1;
        });
        assert!(checked > 0, "an input is made of any bytes");
    }

    #[test]
    fn a_command_line_means_the_same_however_it_is_spelt() {
        try_many::<command_lines::CommandLine>(10_000);
    }

    #[test]
    fn a_list_means_what_its_lines_say() {
        try_many::<lists::List>(20_000);
    }

    #[test]
    fn a_message_has_its_digest_in_whatever_parts_and_company_it_comes() {
        try_many::<messages::Messages>(10_000);
    }

    #[test]
    fn a_name_comes_back_from_every_spelling() {
        try_many::<names::Name>(100_000);
    }

    #[test]
    fn a_number_is_taken_at_its_value_or_refused() {
        try_many::<numbers::Number>(10_000);
    }
}
