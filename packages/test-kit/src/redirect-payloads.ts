/** The host that no response may lead to. */
export const EVIL_HOST = "evil.example";

const E = EVIL_HOST;
const SELF = "http://localhost";

/** Spellings of another site's URL that look like a path, like this site, or like nothing at all. */
export const REDIRECT_PAYLOADS: string[] = [
	// another site, plainly
	...[`https://${E}`, `http://${E}/`, `HTTPS://${E}`, `//${E}`, `//${E}/%2e%2e`, `///${E}`, `////${E}`, `ftp://${E}`],
	...[`wss://${E}`, `blob:https://${E}/1`, `filesystem:https://${E}/t/x`, `view-source:https://${E}`],
	// without the slashes that browsers do not require
	...[`https:${E}`, `https:/${E}`, `http:${E}`, `http:/${E}`, `https:///${E}`, `https:\\${E}`, `https:\\\\${E}`],
	// backslashes
	...[`/\\${E}`, `\\/${E}`, `\\\\${E}`, `/\\/${E}`, `/\\\\${E}`, `\\${E}`, `/%5c${E}`, `/%5C%5C${E}`, `/%2f%5c${E}`],
	// characters that parsers drop: tab, newline, carriage return, leading controls and spaces
	...[`/\t/${E}`, `/\n/${E}`, `/\r/${E}`, `\t//${E}`, ` //${E}`, `\u0001//${E}`, `\u0000//${E}`, `/\t\\${E}`],
	...[`ht\ntps://${E}`, `h\tttps://${E}`, `https:\n//${E}`, `//\t${E}`, `/\r\n/${E}`, `/\u000b/${E}`, `/\u00a0/${E}`],
	// dots that resolve to another host
	...[`/..//${E}`, `/.//${E}`, `/x/..//${E}`, `/%2e%2e//${E}`, `/%2E//${E}`, `/a/b/../..//${E}`, `/.%2e//${E}`],
	...[`/..%2f/${E}`, `/..;//${E}`, `/./\\${E}`, `/..\\\\${E}`, `./\\${E}`, `..//${E}`, `.//${E}`],
	// encoded slashes
	...[`/%2f${E}`, `/%2F%2F${E}`, `%2f%2f${E}`, `/%252f${E}`, `%2568ttps://${E}`, `%68ttps://${E}`, `/%09/${E}`],
	...[`/%0a/${E}`, `/%0d%0a//${E}`, `/%00//${E}`, `/%E2%80%A9/${E}`],
	// user information, ports, and hosts that start or end like ours
	...[
		`${SELF}@${E}`,
		`${SELF}:1@${E}`,
		`${SELF}%40${E}`,
		`${SELF}:x@${E}/`,
		`https://localhost@${E}`,
		`//localhost@${E}`,
	],
	...[`${SELF}.${E}`, `${SELF}-${E}`, `//localhost.${E}`, `${SELF}\\@${E}`, `${SELF}#@${E}`, `${SELF}?@${E}`],
	...[`http://${E}#localhost`, `http://${E}?localhost`, `http://${E}/localhost`, `http://${E}%23localhost`],
	...[
		`http://${E}\\localhost`,
		`http://localhost\u0000.${E}`,
		`http://localhost%00.${E}`,
		`http://[::ffff:7f00:1]@${E}`,
	],
	// letters that become dots, slashes or ASCII
	...[
		`https://evil。example`,
		`//evil．example`,
		`／／${E}`,
		`/／${E}`,
		`https://ｅvil.example`,
		`http://ⓔvil.example`,
	],
	...[`//evil%E3%80%82example`, `https://xn--evil-example`, `⁄⁄${E}`, `//${E}․`, `https://${E}.`],
	// addresses written as numbers
	...["http://3405803842", "http://0xcb.0x00.0x71.0x42", "http://0313.0.0161.0102", "http://203.0.113.66", "//0"],
	// not a URL but code or data
	...[`javascript:location='//${E}'`, `JaVaScRiPt:alert(1)`, `java\nscript:alert(1)`, `\u0001javascript:alert(1)`],
	...[`javascript://${E}/%0aalert(1)`, `data:text/html,<script>1</script>`, `data:text/html;base64,PHN2Zz4=`],
	...[`vbscript:msgbox(1)`, `file:///etc/passwd`, `mailto:a@${E}`, `about:blank`, `intent://${E}#Intent;end`],
	// hidden in a query or a fragment, and lists
	...[`/?next=//${E}`, `/#//${E}`, `?//${E}`, `#//${E}`, `/home,//${E}`, `/home //${E}`, `${SELF},https://${E}`],
	// injected headers
	...[
		`/home\r\nlocation: https://${E}`,
		`/home%0d%0ax-injected:%201`,
		`/home\nx-injected: 1`,
		`/\u560d\u560ax-injected: 1`,
	],
	// malformed
	...["http://", "http://[", "http://[::1", "https://%", "//", "/\\", "http://a b", "http://\ud800", ":", "://", "/:@"],
];
