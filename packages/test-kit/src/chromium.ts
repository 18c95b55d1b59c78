import { type Browser, chromium } from "playwright-core";
import { PUBLIC_HOSTS } from "./public-hosts.ts";

/** Starts Chromium with a new profile. Google and Apple resolve to loopback, and nothing else resolves. */
export const startChromium = (tls: { port: number; fingerprint: string }): Promise<Browser> =>
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
			`--ignore-certificate-errors-spki-list=${tls.fingerprint}`,
			`--host-resolver-rules=${[
				...PUBLIC_HOSTS.map((host) => `MAP ${host}:443 127.0.0.1:${tls.port}`),
				"MAP * ~NOTFOUND",
				"EXCLUDE localhost",
				"EXCLUDE *.localhost",
				"EXCLUDE 127.0.0.1",
			].join(", ")}`,
		],
	});
