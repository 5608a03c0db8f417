//! How many files, and so connections, a process may have open: many systems begin with 1,024 and
//! permit far more to those who ask.

/// Asks for as many as are permitted, up to what the server will ever use.
#[cfg(unix)]
pub fn raise() {
    const ENOUGH: libc::rlim_t = 8192;
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // Both calls read or write the one struct and nothing else; without them the limit stays.
    #[allow(unsafe_code)]
    unsafe {
        if libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) == 0 && limit.rlim_cur < ENOUGH {
            limit.rlim_cur = limit.rlim_max.min(ENOUGH);
            libc::setrlimit(libc::RLIMIT_NOFILE, &limit);
        }
    }
}

/// Elsewhere there is no such limit.
#[cfg(not(unix))]
pub fn raise() {}
