//! A connection to a server that swallows all data from some moment on: existing connections hang, and new
//! ones are served.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The proxy of a server.
pub(crate) struct Line {
    /// The URL of the server through the proxy.
    pub(crate) url: String,
    /// True if data on the present connections is swallowed.
    swallows: Arc<Mutex<Arc<AtomicBool>>>,
}

impl Line {
    /// Creates a proxy of the server at this URL, `postgres://USER@HOST:PORT/DATABASE`.
    pub(crate) fn to(url: &str) -> Self {
        let (user, rest) = url.split_once('@').unwrap();
        let (server, name) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = listener.local_addr().unwrap();
        let swallows = Arc::<Mutex<Arc<AtomicBool>>>::default();
        let (of_now, server) = (Arc::clone(&swallows), server.to_owned());
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, server) = (client.unwrap(), TcpStream::connect(&server).unwrap());
                let swallows = Arc::clone(&of_now.lock().unwrap_or_else(PoisonError::into_inner));
                let back = (server.try_clone().unwrap(), client.try_clone().unwrap());
                carry(client, server, Arc::clone(&swallows));
                carry(back.0, back.1, swallows);
            }
        });
        Self { url: format!("{user}@{here}/{name}"), swallows }
    }

    /// Swallows all data on the existing connections from now on.
    pub(crate) fn swallow(&self) {
        let mut of_now = self.swallows.lock().unwrap_or_else(PoisonError::into_inner);
        of_now.store(true, Ordering::SeqCst);
        *of_now = Arc::default();
    }
}

/// Forwards data in one direction until it is swallowed. Then an end of the data is swallowed too.
fn carry(mut from: TcpStream, mut to: TcpStream, swallows: Arc<AtomicBool>) {
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        loop {
            let count = from.read(&mut buffer).unwrap_or_default();
            if swallows.load(Ordering::SeqCst) {
                if count == 0 {
                    thread::park();
                }
                continue;
            }
            if count == 0 || to.write_all(&buffer[..count]).is_err() {
                let _ = to.shutdown(std::net::Shutdown::Both);
                return;
            }
        }
    });
}
