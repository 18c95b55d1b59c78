import { fileURLToPath } from "node:url";
import { startChromium } from "test-kit/chromium/start";
import { writeLetter } from "../src/mail/letter.ts";
import { compose } from "../src/mail/template/compose.ts";

const SCREENSHOTS = new URL("../../../docs/screenshots/", import.meta.url);
const SIZE = { width: 600, height: 10 };

/** Draws one mail of the real template for docs/mail.md, in light and dark. */
const draw = async (): Promise<void> => {
	const url =
		"https://acme.example.com/api/auth/verify-email?token=eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYUBleGFtcGxlLmNvbSJ9";
	const { html } = await compose(
		writeLetter({ kind: "verification", url }, { name: "Acme", slug: "acme", locale: "en" }),
	);
	// the mail loads nothing, so there is no server to trust
	const browser = await startChromium({ port: 9, fingerprint: "" });
	try {
		for (const colorScheme of ["light", "dark"] as const) {
			const page = await browser.newPage({ viewport: SIZE, colorScheme });
			await page.setContent(html);
			await page.screenshot({ path: fileURLToPath(new URL(`mail-${colorScheme}.png`, SCREENSHOTS)), fullPage: true });
		}
	} finally {
		await browser.close();
	}
};

await draw();
