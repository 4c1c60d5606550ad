//! The one binary: `shimekiri`.

fn main() -> std::process::ExitCode {
    terminal::program::main()
}
