import { expect, it } from "vitest";
import { isConsolePath } from "../../src/sign-in/console-path.ts";

// threat 134
it.each([
	"/",
	"/tenants",
	"/tenants?search=glo&status=active",
	"/tenant/abc/users#list",
	"/tenant/globex/users?search=a%2Fb",
])("returns to %s after a sign-in", (path) => {
	expect(isConsolePath(path)).toBe(true);
});

// threat 134
it.each([
	"https://evil.example",
	"//evil.example",
	"/\\evil.example",
	"\\\\evil.example",
	"/\t/evil.example",
	"/\n//evil.example",
	" //evil.example",
	"/tenants//evil.example",
	"/..//evil.example",
	"javascript:alert(1)",
	"data:text/html,x",
	"tenants",
	"",
	`/${"a".repeat(2048)}`,
	7,
	null,
	["/tenants"],
])("never leads to %j", (value) => {
	expect(isConsolePath(value)).toBe(false);
});
