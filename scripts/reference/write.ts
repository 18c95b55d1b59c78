import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { renderReference } from "./pages.ts";
import { ROOT } from "./program.ts";

/** `pnpm docs:reference` */
for (const [file, text] of await renderReference()) {
	const path = join(ROOT, "docs", file);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}
