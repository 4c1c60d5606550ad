//! The program as in production: a process of its own.

use std::fs::File;
use std::process::{Child, Command, Stdio};

use crate::Done;
use crate::crowd::Crowd;
use double::Discord;

/// The running program, killed when it is dropped.
#[derive(Debug)]
pub(crate) struct Served(Child);

impl Served {
    /// Starts the program and waits until it is connected.
    pub(crate) async fn start(discord: &Discord, crowd: &Crowd, pictures: bool) -> Self {
        let log = File::create(crowd.folder.path().join("log")).expect("the folder can be written");
        let mut command = Command::new(kit::program::path());
        command.args(["serve", "--lang", "en"]).env("SHIMEKIRI_DATABASE_URL", &crowd.url);
        command.env("DISCORD_TOKEN", discord.token());
        command.env("SHIMEKIRI_DISCORD_API", discord.address());
        command.env("SHIMEKIRI_HEALTH_ADDRESS", "").env("SHIMEKIRI_LOG_LEVEL", "warn");
        command.env("SHIMEKIRI_PICTURES_SHOW", pictures.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let served = Self(command.spawn().expect("it was built"));
        discord.is_connected().await;
        served
    }

    /// Returns the resident memory of the program, in MiB.
    pub(crate) fn resident(&self) -> Done<f64> {
        self.status("VmRSS:")
    }

    /// Returns the peak of the resident memory, in MiB.
    pub(crate) fn most(&self) -> Done<f64> {
        self.status("VmHWM:")
    }

    fn status(&self, word: &str) -> Done<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(word)).ok_or("not said")?;
        Ok(line.trim().trim_end_matches("kB").trim().parse::<f64>()? / 1024.0)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
