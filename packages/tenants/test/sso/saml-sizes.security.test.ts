import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { acsOf, useSamlProvider } from "./support/saml-world.ts";

const samlWorld = useSamlProvider();

const CODE = "INVALID_SAML_MESSAGE";
const base64 = (xml: string): string => Buffer.from(xml).toString("base64");
const response = (inside: string): string =>
	`<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0">${inside}</samlp:Response>`;
const many = (element: string, count: number): string => Array.from({ length: count }, () => element).join("");
// threat 156: a stranger sends them, and they cost seconds of processor
describe("a SAML message", () => {
	it.each([
		["with thousands of elements", response(many("<a/>", 2_000))],
		["with thousands of comments", response(many("<!---->", 2_000))],
		["with many references in a signature", response(`<é:Signature>${many("<é:Reference/>", 5)}</é:Signature>`)],
		["with many transforms of one reference", response(`<é:Transforms>${many("<é:Transform/>", 13)}</é:Transforms>`)],
		["with thousands of attributes", response(`<a ${many('a="b" ', 4_001)}/>`)],
		["with thousands of namespaces", response(`<a ${many('xmlns:a="b" ', 4_001)}/>`)],
		["with a long encrypted assertion", response(`<é:EncryptedAssertion>${"A".repeat(32_768)}</é:EncryptedAssertion>`)],
		["that names two requests", response(`<Data InResponseTo="_a"/><Data InResponseTo='_b'/>`)],
	])("%s is rejected in a tenant, on the platform, posted and in a URL", async (_, xml) => {
		const { a, post, call } = await samlWorld({ enableSingleLogout: true });
		for (const address of [acsOf(a), "/sso/saml2/sp/acs/adfs"])
			expect(await post(address, base64(xml))).toMatchObject({ status: 400, code: CODE, user: null });
		const SAMLRequest = deflateRawSync(Buffer.from(xml)).toString("base64");
		const refused = await call(`/tenants/${a}/sso/saml2/sp/slo/adfs`, { query: { SAMLRequest } });
		expect(refused).toMatchObject({ status: 400, code: CODE });
	});

	it("is not unpacked beyond its bound", async () => {
		const { a, call } = await samlWorld({ enableSingleLogout: true });
		const bomb = deflateRawSync(Buffer.alloc(5_000_000, " ")).toString("base64");
		const refused = await call(`/tenants/${a}/sso/saml2/sp/slo/adfs`, { query: { SAMLRequest: bomb } });
		expect(refused).toMatchObject({ status: 400, code: CODE });
	});

	it("is not unpacked beyond its bound, also after the end of a message", async () => {
		const { a, call } = await samlWorld({ enableSingleLogout: true });
		const xml = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0"></samlp:LogoutRequest>`;
		const query = (spaces: number) => ({ SAMLRequest: deflateRawSync(xml + " ".repeat(spaces)).toString("base64") });
		const path = `/tenants/${a}/sso/saml2/sp/slo/adfs`;
		expect((await call(path, { query: query(10) })).code).not.toBe(CODE);
		expect(await call(path, { query: query(5_000_000) })).toMatchObject({ status: 400, code: CODE });
	});

	it.each([
		["characters that some decoders skip", (text: string) => `!${text}`],
		["characters of URLs", (text: string) => `-${text}`],
	])("with %s is not read in another way", async (_, spell) => {
		const { a, post } = await samlWorld();
		const refused = await post(acsOf(a), spell(base64(response(many("<a/>", 2_000)))));
		expect(refused).toMatchObject({ status: 400, code: CODE });
	});

	it("with something after its end is not unpacked", async () => {
		const { a, call } = await samlWorld({ enableSingleLogout: true });
		const packed = Buffer.concat([deflateRawSync(response(many("<a/>", 2_000))), Buffer.from("more")]);
		const query = { SAMLRequest: packed.toString("base64") };
		expect(await call(`/tenants/${a}/sso/saml2/sp/slo/adfs`, { query })).toMatchObject({ status: 400, code: CODE });
	});

	it("with hundreds of groups reaches the check of its signature", async () => {
		const { a, post } = await samlWorld();
		const transforms = `<ds:Transforms>${many("<ds:Transform></ds:Transform>", 2)}</ds:Transforms>`;
		// as some identity providers write them
		const group = `<saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">group</saml:AttributeValue>`;
		const xml = response(many(transforms, 2) + many(group, 900));
		const { code, location } = await post(acsOf(a), base64(xml));
		expect([code, location]).not.toContain(CODE);
	});
});

// threat 156
it("metadata with thousands of elements is not registered", async () => {
	const { a, register, settings } = await samlWorld();
	const { samlConfig, ...rest } = settings("okta");
	const idpMetadata = { metadata: `<EntityDescriptor>${many("<a/>", 2_000)}</EntityDescriptor>` };
	const refused = await register(a, { ...rest, samlConfig: { ...samlConfig, idpMetadata } });
	expect(refused).toMatchObject({ status: 400, code: CODE });
	expect((await register(a, settings("okta"))).status).toBe(200);
});
