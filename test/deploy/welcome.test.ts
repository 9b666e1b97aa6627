/** The output at the end of `npm run up`, and who sees the settings of real payment methods. */
import { expect, test } from "vitest";
import { withoutRails } from "../../deploy/local/services.ts";
import { welcome } from "../../deploy/local/welcome.ts";
import { railSettings } from "../../services/gateway/config.ts";

const url = "http://127.0.0.1:8097";
const priced = (text: string) =>
	text.split("\n").filter((line) => /^ {2}.*\/(changes|projects|developers|events|investable)/.test(line));

test("if priced calls need a key, every printed command of a priced call sends one", () => {
	for (const KEYLESS of ["pay", "closed"]) {
		const lines = priced(welcome(url, { KEYLESS }, false));
		expect(lines).toHaveLength(5);
		for (const line of lines) expect(line).toContain('-H "x-api-key: $KEY"');
	}
});

test("if no key is needed, commands are printed without one", () => {
	const lines = priced(welcome(url, {}, false));
	expect(lines).toHaveLength(5);
	for (const line of lines) expect(line).toMatch(/^ {2}curl '[^']+'$/);
});

test("if calls are sold through test payments, one command sends no payment, to show the price", () => {
	const bare = priced(welcome(url, { KEYLESS: "pay" }, true)).filter((line) => !/x-api-key|Bearer|mppx/.test(line));
	expect(bare).toEqual([`  curl -i '${url}/projects?per_page=1'`]);
});

test("all payment settings are cleared, and no others", () => {
	const names = Object.keys(railSettings);
	const set = Object.fromEntries(names.map((name) => [name, "real"]));
	expect(withoutRails({ ...set, KEYLESS: "pay", PATH: "/bin" })).toEqual(
		Object.fromEntries(names.map((name) => [name, ""])),
	);
});
