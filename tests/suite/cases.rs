//! The recorded cases: command lines with the output, messages and status each must give, byte for byte.

use serde_json::Value;

use crate::support::Folder;

const CONFORMANCE: &str = include_str!("../data/conformance.json");
const REPORTS: &str = include_str!("../data/reports.json");

/// A file's content: text, `{"hex": …}`, or `{"repeat": TEXT, "length": BYTES}`.
fn content(value: &Value) -> Vec<u8> {
    if let Some(text) = value.as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(digits) = value["hex"].as_str() {
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        return (0..digits.len()).step_by(2).map(byte).collect();
    }
    let length = usize::try_from(value["length"].as_u64().unwrap()).unwrap();
    value["repeat"].as_str().unwrap().bytes().cycle().take(length).collect()
}

/// What is wrong with a case, if anything.
fn fault(case: &Value) -> Option<String> {
    let files = case["files"].as_object().unwrap();
    let folder = files.iter().fold(Folder::new(), |folder, (name, value)| folder.file(name, content(value)));
    let args = case["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap());
    let input = if case["stdin"].is_null() { Vec::new() } else { content(&case["stdin"]) };
    let ran = folder.run_with_input(case["argv0"].as_str().unwrap(), args, input);
    let right = |wanted: &Value, got: &[u8]| wanted.as_str().is_none_or(|wanted| wanted.as_bytes() == got);
    let passed = right(&case["stdout"], &ran.stdout)
        && right(&case["stderr"], &ran.stderr)
        && case["exit"].as_i64() == Some(ran.status.into());
    (!passed).then(|| {
        format!("{}: {} {}\n  want {}\n  got {ran:?}", case["name"], case["argv0"], case["args"], case["stdout"])
    })
}

fn run_all(data: &str) {
    let cases: Vec<Value> = serde_json::from_str(data).unwrap();
    assert!(cases.len() > 100, "the cases are there");
    let faults: Vec<String> = cases.iter().filter_map(fault).collect();
    assert!(faults.is_empty(), "{} of {} cases:\n{}", faults.len(), cases.len(), faults.join("\n"));
}

#[test]
fn every_conformance_case_passes() {
    run_all(CONFORMANCE);
}

#[test]
fn every_reported_case_passes() {
    run_all(REPORTS);
}
