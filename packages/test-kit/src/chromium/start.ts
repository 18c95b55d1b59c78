import { type Browser, chromium } from "playwright-core";
import { PUBLIC_HOSTS } from "../public-hosts.ts";

/** Starts Chromium with a new profile. Names below localhost and names of the rules resolve to loopback, and nothing else does. */
export const startLocalChromium = (rules: string[] = [], args: string[] = []): Promise<Browser> =>
	chromium.launch({
		executablePath: "/usr/bin/chromium",
		args: [
			"--headless=new",
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
			...args,
			`--host-resolver-rules=${[
				...rules,
				"MAP * ~NOTFOUND",
				"EXCLUDE localhost",
				"EXCLUDE *.localhost",
				"EXCLUDE 127.0.0.1",
			].join(", ")}`,
		],
	});

/** Starts Chromium as above, where Google and Apple resolve to loopback, too. */
export const startChromium = (tls: { port: number; fingerprint: string }): Promise<Browser> =>
	startLocalChromium(
		PUBLIC_HOSTS.map((host) => `MAP ${host}:443 127.0.0.1:${tls.port}`),
		[`--ignore-certificate-errors-spki-list=${tls.fingerprint}`],
	);
