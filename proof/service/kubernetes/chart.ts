import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import * as z from "zod";
import { run } from "../image/builder.ts";

const SERVER = join(import.meta.dirname, "../../../apps/server");

export type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; spec?: Record<string, unknown> };

/** The names of the versions that a Kubernetes older than the chart's has for the same. */
const EARLIER: Record<string, string> = { "autoscaling/v2": "autoscaling/v2beta2", "policy/v1": "policy/v1beta1" };

/** Renders the chart as Helm does. `cluster` is what an upgrade finds there. */
export const openChart = async (folder: string) => {
	const program = join(folder, "render-chart");
	const go = ["GO111MODULE=off", "GOPATH=/usr/share/gocode", "GOFLAGS=", "go", "build", "-o", program, "."];
	await run("env", ["-C", join(SERVER, "test/shipping/support/render-chart"), ...go]);
	return async (values: object, cluster: object = {}): Promise<Manifest[]> => {
		const [given, found] = [join(folder, "values.json"), join(folder, "found.json")];
		await writeFile(given, JSON.stringify(values));
		await writeFile(found, JSON.stringify(cluster));
		const text = await run("env", [`CLUSTER=${found}`, program, join(SERVER, "chart"), given]);
		const files = z.record(z.string(), z.string()).parse(JSON.parse(text));
		return Object.entries(files)
			.filter(([name]) => name.endsWith(".yaml"))
			.flatMap(([, file]) => parseAllDocuments(file).map((document) => document.toJS() as Manifest | null))
			.filter((manifest) => manifest !== null)
			.map((manifest) => ({ ...manifest, apiVersion: EARLIER[manifest.apiVersion] ?? manifest.apiVersion }));
	};
};
