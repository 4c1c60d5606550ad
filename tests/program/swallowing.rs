//! A line to a server on which, from a moment on, nothing arrives any more: who was connected waits,
//! and who comes anew is served.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The line.
pub(crate) struct Line {
    /// The server's URL by way of it.
    pub(crate) url: String,
    /// True if what is sent on the connections of now is swallowed.
    swallows: Arc<Mutex<Arc<AtomicBool>>>,
}

impl Line {
    /// A line to the server of this URL, `postgres://USER@HOST:PORT/DATABASE`.
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

    /// From now on nothing arrives on the connections that are there.
    pub(crate) fn swallow(&self) {
        let mut of_now = self.swallows.lock().unwrap_or_else(PoisonError::into_inner);
        of_now.store(true, Ordering::SeqCst);
        *of_now = Arc::default();
    }
}

/// Carries everything from one end to the other, as long as it is not swallowed. Nobody is told of an
/// end of it either.
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
