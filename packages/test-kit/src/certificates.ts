import { execFileSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Certificates = {
	/** the authority's certificate */
	ca: string;
	cert: string;
	key: string;
	/** value for Chromium's --ignore-certificate-errors-spki-list: trusts this one key in addition */
	fingerprint: string;
};

const EC = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];

/** Creates a certificate authority for one run, and a certificate for these hosts. */
export const makeCertificates = (hosts: readonly string[]): Certificates => {
	const folder = mkdtempSync(join(tmpdir(), "tenants-test-ca-"));
	const at = (name: string) => join(folder, name);
	const request = (...parts: string[]) => execFileSync("openssl", ["req", "-x509", ...EC, ...parts], { stdio: "pipe" });
	try {
		// without its own configuration, openssl adds the extensions of the machine's default
		writeFileSync(at("openssl.cnf"), "[req]\ndistinguished_name = name\n[name]\n");
		const config = ["-config", at("openssl.cnf")];
		request(
			...config,
			...["-keyout", at("ca.key"), "-out", at("ca.pem"), "-subj", "/CN=Test authority"],
			...["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"],
		);
		request(
			...config,
			...["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-keyout", at("host.key"), "-out", at("host.pem")],
			...["-subj", "/CN=Test identity provider", "-addext", "basicConstraints=critical,CA:FALSE"],
			...["-addext", `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(",")}`],
		);
		const cert = readFileSync(at("host.pem"), "utf8");
		const spki = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
		return {
			ca: readFileSync(at("ca.pem"), "utf8"),
			cert,
			key: readFileSync(at("host.key"), "utf8"),
			fingerprint: createHash("sha256").update(spki).digest("base64"),
		};
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
};
