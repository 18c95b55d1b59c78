import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { Rolldown } from "tsdown";

export type Bundle = { code: string; bytes: number; gzipBytes: number };

/** Bundles a worker with all imports into one minified module, as uploaded. */
export const bundleWorker = async (entry: URL): Promise<Bundle> => {
	const { output } = await Rolldown.build({
		input: fileURLToPath(entry),
		platform: "neutral",
		external: [/^node:/],
		resolve: { conditionNames: ["workerd", "worker", "import", "default"], mainFields: ["module", "main"] },
		output: { format: "esm", minify: true, codeSplitting: false },
		write: false,
		logLevel: "silent",
	});
	const { code } = output[0];
	return { code, bytes: Buffer.byteLength(code), gzipBytes: gzipSync(code).length };
};
