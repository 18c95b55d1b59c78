import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../image/builder.ts";

/** Makes an authority, what the API server, an administrator and the node show, and how the last two reach the server. */
export const makeCertificates = async (
	folder: string,
	{ api, addresses }: { api: string; addresses: string[] },
): Promise<void> => {
	const at = (name: string): string => join(folder, name);
	const openssl = (...args: string[]) => run("openssl", args);
	const authority = ["-keyout", at("ca.key"), "-out", at("ca.crt"), "-days", "2", "-subj", "/CN=authority"];
	await openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", ...authority);
	await openssl("genrsa", "-out", at("sa.key"), "2048");
	await writeFile(at("names"), `subjectAltName=${addresses.map((address) => `IP:${address}`).join(",")}\n`);
	const subjects = {
		api: "/CN=kube-apiserver",
		admin: "/O=system:masters/CN=admin",
		node: "/O=system:nodes/CN=system:node:node",
	};
	for (const [name, subject] of Object.entries(subjects)) {
		const request = ["-keyout", at(`${name}.key`), "-out", at(`${name}.csr`), "-subj", subject];
		await openssl("req", "-newkey", "rsa:2048", "-nodes", ...request);
		const by = ["-CA", at("ca.crt"), "-CAkey", at("ca.key"), "-CAcreateserial", "-days", "2", "-extfile", at("names")];
		await openssl("x509", "-req", "-in", at(`${name}.csr`), "-out", at(`${name}.crt`), ...by);
	}
	const data = async (name: string): Promise<string> => (await readFile(at(name))).toString("base64");
	for (const name of ["admin", "node"])
		await writeFile(
			at(`${name}.conf`),
			JSON.stringify({
				apiVersion: "v1",
				kind: "Config",
				clusters: [{ name: "one", cluster: { server: api, "certificate-authority-data": await data("ca.crt") } }],
				users: [
					{
						name,
						user: {
							"client-certificate-data": await data(`${name}.crt`),
							"client-key-data": await data(`${name}.key`),
						},
					},
				],
				contexts: [{ name: "one", context: { cluster: "one", user: name } }],
				"current-context": "one",
			}),
		);
};
