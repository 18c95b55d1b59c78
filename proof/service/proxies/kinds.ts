import type { Certificates } from "test-kit/certificates";
import type { Change } from "./samples.ts";

/** Where a sample's addresses lead in a test. */
export type Places = {
	folder: string;
	https: number;
	http: number;
	services: readonly { port: number; metricsPort: number }[];
};

/** A sample without one of its defenses, and the check that has to notice. */
type Weakened = { without: string; changes: readonly Change[]; noticedBy: string };

export type Kind = {
	name: string;
	sample: string;
	command: (file: string, places: Places) => [program: string, ...args: string[]];
	/** prints its version */
	version: [program: string, ...args: string[]];
	changes: (places: Places) => Change[];
	/** certificate files, relative to the folder */
	files: (certificates: Certificates) => Record<string, string>;
	weakened: Weakened[];
};

const FORWARDED_FOR = "the caller's address";
const FORWARDED_HOST = "a forged host";
const GATEWAY = "a forged tenant header";

const addresses = ({ services }: Places): Change[] => [
	["10.0.0.11:3000", `127.0.0.1:${services[0]?.port}`],
	["10.0.0.12:3000", `127.0.0.1:${services[1]?.port}`],
];

const nginx: Kind = {
	name: "nginx",
	sample: "nginx.conf",
	version: ["nginx", "-v"],
	command: (file, { folder }) => [
		"nginx",
		...["-p", folder, "-c", file],
		// as root, its workers would not be allowed to read the folder
		...["-g", `daemon off; pid ${folder}/nginx.pid; error_log stderr;${process.getuid?.() === 0 ? " user root;" : ""}`],
	],
	changes: (places) => [
		...addresses(places),
		["listen 443", `listen 127.0.0.1:${places.https}`],
		["listen 80", `listen 127.0.0.1:${places.http}`],
		["/etc/nginx/tls/", `${places.folder}/`],
		[
			"http {\n",
			`http {\n${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((one) => `${one}_temp_path ${places.folder}/${one};\n`).join("")}`,
		],
	],
	files: ({ cert, key }) => ({
		"app.example.com.crt": cert,
		"app.example.com.key": key,
		"login.globex.example.crt": cert,
		"login.globex.example.key": key,
	}),
	weakened: [
		{
			without: "replacing X-Forwarded-For",
			changes: [["X-Forwarded-For $remote_addr", "X-Forwarded-For $http_x_forwarded_for"]],
			noticedBy: FORWARDED_FOR,
		},
		{
			without: "replacing X-Forwarded-Host",
			changes: [["proxy_set_header X-Forwarded-Host $host;", ""]],
			noticedBy: FORWARDED_HOST,
		},
		{
			without: "dropping X-Gateway-Tenant",
			changes: [['proxy_set_header X-Gateway-Tenant "";', ""]],
			noticedBy: GATEWAY,
		},
	],
};

const haproxy: Kind = {
	name: "HAProxy",
	sample: "haproxy.cfg",
	version: ["haproxy", "-v"],
	command: (file) => ["haproxy", "-db", "-f", file],
	changes: (places) => [
		["server auth1 10.0.0.11:3000", `server auth1 10.0.0.11:3000 port ${places.services[0]?.metricsPort}`],
		["server auth2 10.0.0.12:3000", `server auth2 10.0.0.12:3000 port ${places.services[1]?.metricsPort}`],
		...addresses(places),
		["bind :443", `bind 127.0.0.1:${places.https}`],
		["bind :80", `bind 127.0.0.1:${places.http}`],
		["/etc/haproxy/tls/", `${places.folder}/tls/`],
	],
	files: ({ cert, key }) => ({ "tls/example.com.pem": `${cert}${key}` }),
	weakened: [
		{
			without: "replacing X-Forwarded-For",
			changes: [["http-request set-header X-Forwarded-For %[src]", ""]],
			noticedBy: FORWARDED_FOR,
		},
		{
			without: "replacing X-Forwarded-Host",
			changes: [["http-request set-header X-Forwarded-Host %[req.hdr(host),host_only]", ""]],
			noticedBy: FORWARDED_HOST,
		},
		{
			without: "dropping X-Gateway-Tenant",
			changes: [["http-request del-header X-Gateway-Tenant", ""]],
			noticedBy: GATEWAY,
		},
	],
};

/** Caddy checks all processes at one port, so in a test, on one machine, it uses the public ports. */
const caddy: Kind = {
	name: "Caddy",
	sample: "Caddyfile",
	version: ["caddy", "version"],
	command: (file) => ["caddy", "run", "--adapter", "caddyfile", "--config", file],
	changes: (places) => [
		...addresses(places),
		["http_port 80", `http_port ${places.http}`],
		["https_port 443", `https_port ${places.https}\n\tstorage file_system ${places.folder}\n\tdefault_bind 127.0.0.1`],
		["\t\thealth_port 9464\n", ""],
		["/etc/caddy/tls/", `${places.folder}/`],
	],
	files: ({ cert, key }) => ({ "example.com.crt": cert, "example.com.key": key }),
	weakened: [
		{
			without: "replacing X-Forwarded-For",
			changes: [["header_up -Forwarded\n", "header_up X-Forwarded-For {http.request.header.X-Forwarded-For}\n"]],
			noticedBy: FORWARDED_FOR,
		},
		{
			without: "replacing X-Forwarded-Host",
			changes: [["header_up -Forwarded\n", "trusted_proxies 0.0.0.0/0\n"]],
			noticedBy: FORWARDED_HOST,
		},
		{ without: "dropping X-Gateway-Tenant", changes: [["header_up -X-Gateway-Tenant", ""]], noticedBy: GATEWAY },
	],
};

export const KINDS = [nginx, haproxy, caddy];
