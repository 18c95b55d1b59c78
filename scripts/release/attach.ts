import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";
import { sbomOf } from "./examine.ts";
import { type Packed, readPacked } from "./pack.ts";

type GitHub = { api: string; repository: string; token: string };

const found = z.looseObject({ upload_url: z.string(), assets: z.array(z.looseObject({ name: z.string() })) });

/** Adds the tarball, its SBOM and the checksums to the GitHub release of a package. Skips what it has, so it can run again. */
export const attach = async (
	github: GitHub,
	release: string,
	{ name, version, tarball }: Packed,
): Promise<string[]> => {
	const headers = { authorization: `Bearer ${github.token}`, accept: "application/vnd.github+json" };
	const tag = encodeURIComponent(`${name}@${version}`);
	const response = await fetch(`${github.api}/repos/${github.repository}/releases/tags/${tag}`, { headers });
	if (!response.ok) throw new Error(`GitHub has no release ${name}@${version} (${response.status}).`);
	const { upload_url, assets } = found.parse(await response.json());
	const missing = [tarball, sbomOf(tarball), "packages/SHA256SUMS"].filter(
		(file) => !assets.some((asset) => asset.name === basename(file)),
	);
	for (const file of missing) {
		// the address ends with {?name,label}
		const url = `${upload_url.replace(/\{.*$/, "")}?name=${encodeURIComponent(basename(file))}`;
		const uploaded = await fetch(url, {
			method: "POST",
			headers: { ...headers, "content-type": "application/octet-stream" },
			body: readFileSync(join(release, file)),
		});
		if (!uploaded.ok) throw new Error(`GitHub did not accept ${file} (${uploaded.status}).`);
	}
	return missing.map((file) => basename(file));
};

if (import.meta.main) {
	const [release = "release"] = process.argv.slice(2);
	const { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository, GITHUB_TOKEN: token } = process.env;
	if (!api || !repository || !token) throw new Error("Set GITHUB_API_URL, GITHUB_REPOSITORY and GITHUB_TOKEN.");
	if (!existsSync(join(release, "publish-plan.json"))) throw new Error(`${release} is not a packed release.`);
	for (const packed of readPacked(release))
		console.log(
			`${packed.name}@${packed.version}: ${(await attach({ api, repository, token }, release, packed)).join(", ")}`,
		);
}
