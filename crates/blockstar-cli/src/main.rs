//! The program; all of it is in the library.

fn main() -> std::process::ExitCode {
    blockstar_cli::main()
}
