import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brandStyles } from "../branding/brand-styles.ts";

type Asset = { path: string; type: string; body: string };

/** Reads a file beside this module; the build copies the folder beside its own. */
const read = (name: "pages.css" | "pages.js", type: string): Asset => {
	const body = readFileSync(new URL(`./assets/${name}`, import.meta.url), "utf8");
	const hash = createHash("sha256").update(body).digest("hex").slice(0, 12);
	return { path: `/pages/${name.replace(".", `.${hash}.`)}`, type, body };
};

export type Assets = ReturnType<typeof openAssets>;

/** The style sheet and the script of the pages. Their paths change with their contents, so browsers keep them forever. */
export const openAssets = () => {
	const styles = read("pages.css", "text/css; charset=utf-8");
	const script = read("pages.js", "text/javascript; charset=utf-8");
	return {
		styles: styles.path,
		script: script.path,
		/** The response for a path below /pages; null if nothing is there. */
		find: (path: string): Response | null => {
			const asset = [styles, script].find((one) => one.path === path) ?? brandAsset(path);
			if (!asset) return null;
			const headers = { "content-type": asset.type, "cache-control": "public, max-age=31536000, immutable" };
			return new Response(asset.body, { headers });
		},
	};
};

const brandAsset = (path: string): Asset | null => {
	const body = brandStyles(path);
	return body === null ? null : { path, type: "text/css; charset=utf-8", body };
};
