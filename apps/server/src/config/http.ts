import { isIP } from "node:net";
import { defineSection } from "./section.ts";
import { count, list, seconds, text, url } from "./variables.ts";

export const httpSection = defineSection(
	{
		AUTH_URL: url("http:", "https:").meta({
			description: "The server's public URL, such as https://auth.example.com",
		}),
		BASE_PATH: text()
			.regex(/^\/[A-Za-z0-9/_-]*[A-Za-z0-9_-]$/, { error: "is not a path. Use a path such as /api/auth" })
			.default("/api/auth")
			.meta({ description: "The base path of the API" }),
		HOST: text().default("127.0.0.1").meta({ description: "The address to listen on. Use 0.0.0.0 in a container" }),
		PORT: count(3000, { least: 0, most: 65_535 }).meta({ description: "The port to listen on; 0 picks a free port" }),
		TRUSTED_ORIGINS: list().meta({
			description:
				"Origins of your pages besides AUTH_URL, or besides the tenant's own host where it has one, separated by commas. They may call the API and be redirect targets",
		}),
		TRUSTED_PROXIES: list().meta({
			description:
				"Addresses or networks (10.0.0.0/24) of your proxies, separated by commas. Their X-Forwarded-* headers are trusted",
		}),
		BODY_LIMIT: count(1_048_576, { least: 1024, most: 104_857_600 }).meta({
			description:
				"Maximum request body in bytes, for imports of users and SCIM. Other endpoints accept less, most of them 16 kB",
		}),
		REQUEST_TIMEOUT: seconds(30, { least: 1, most: 3600 }).meta({
			description: "Maximum seconds to receive a request",
		}),
		SHUTDOWN_DELAY: seconds(0, { most: 300 }).meta({
			description:
				"Seconds between SIGTERM and closing the port. /readyz returns 503 meanwhile, so your load balancer can react",
		}),
		SHUTDOWN_TIMEOUT: seconds(30, { least: 1, most: 3600 }).meta({
			description: "Maximum seconds for requests in flight to complete after SIGTERM",
		}),
	},
	(values, mistakes) => {
		const publicURL = new URL(values.AUTH_URL);
		if (publicURL.pathname !== "/" || publicURL.search || publicURL.hash || publicURL.username)
			mistakes.push("AUTH_URL is not an origin. Use https://auth.example.com, and put the path in BASE_PATH");
		for (const origin of values.TRUSTED_ORIGINS)
			if (!isOrigin(origin))
				mistakes.push(
					`TRUSTED_ORIGINS contains ${JSON.stringify(origin)}, which is not an origin. Use https://app.example.com, without a path`,
				);
		for (const proxy of values.TRUSTED_PROXIES)
			if (!isNetwork(proxy))
				mistakes.push(
					`TRUSTED_PROXIES contains ${JSON.stringify(proxy)}, which is neither an address nor a network. Use 10.0.0.7 or 10.0.0.0/24`,
				);
		return {
			publicURL: publicURL.origin,
			basePath: values.BASE_PATH,
			host: values.HOST,
			port: values.PORT,
			trustedOrigins: values.TRUSTED_ORIGINS,
			trustedProxies: values.TRUSTED_PROXIES,
			bodyLimit: values.BODY_LIMIT,
			requestTimeout: values.REQUEST_TIMEOUT,
			shutdownDelay: values.SHUTDOWN_DELAY,
			shutdownTimeout: values.SHUTDOWN_TIMEOUT,
		};
	},
);

export type HttpConfig = ReturnType<(typeof httpSection)["read"]>;

/** An origin, or a Better Auth pattern such as https://*.example.com. A lone star or *.com would trust everyone. */
const isOrigin = (value: string): boolean => {
	const plain = value.replace("://*.", "://star.");
	const { origin, hostname = "" } = URL.parse(plain) ?? {};
	const isTooWide = plain !== value && hostname.split(".").length < 3;
	return origin === plain && !hostname.includes("*") && !isTooWide;
};

const isNetwork = (value: string): boolean => {
	const [address = "", bits, ...more] = value.split("/");
	const family = isIP(address);
	if (family === 0 || more.length > 0) return false;
	return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
};
