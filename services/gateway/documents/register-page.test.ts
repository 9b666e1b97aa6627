import { Parser } from "htmlparser2";
import { describe, expect, test } from "vitest";
import { invalid, tooManyRequests } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";
import { makeSecret } from "#libs/contract/key.ts";
import { html } from "../pages/html.ts";
import { navigation } from "../pages/site-header.ts";
import { issuedPage, type Plans, registerErrors, registerPage } from "./register-page.ts";

const plans: Plans = [
	{ name: "Free", monthly_queries: 50, per_minute: 10, description: "To try everything." },
	{ name: "Growth", monthly_queries: 2_500, per_minute: 60, description: "For an application." },
	{ name: "Enterprise", monthly_queries: null, per_minute: null, description: "As agreed." },
];
const issued: Reply<"register"> = {
	key: makeSecret("pk_"),
	key_id: 7,
	hint: "pk_abcd…wxyz",
	plan: "Free",
	monthly_queries: 50,
	per_minute: 10,
	daily_queries: null,
	created_at: "2026-11-21T00:00:00Z",
};
const hostile = [
	`"><script>alert(1)</script>`,
	`' autofocus onfocus='alert(1)`,
	"</title><img src=x onerror=alert(1)>",
	"&quot;&lt;script&gt;",
	"<!--",
	"javascript:alert(1)",
];

interface Element {
	tag: string;
	attributes: Record<string, string>;
}

/** The page as a browser sees it. */
function parse(page: string): { elements: Element[]; text: string } {
	const elements: Element[] = [];
	let text = "";
	const parser = new Parser({
		onopentag: (tag, attributes) => void elements.push({ tag, attributes: { ...attributes } }),
		ontext: (piece) => {
			text += piece;
		},
	});
	parser.end(page);
	return { elements, text: text.replace(/\s+/g, " ") };
}

const input = (page: string, name: string): Record<string, string> | undefined =>
	parse(page).elements.find(({ tag, attributes }) => tag === "input" && attributes.name === name)?.attributes;

describe("the template", () => {
	test("takes what is put into it for text, in an element and in an attribute", () => {
		for (const text of hostile) {
			const page = html`<p title="${text}">${text}</p><i title='${text}'></i>`.text;
			const { elements, text: read } = parse(page);
			expect(elements).toEqual([
				{ tag: "p", attributes: { title: text } },
				{ tag: "i", attributes: { title: text } },
			]);
			expect(read).toBe(text);
		}
	});

	test("takes what it made itself as it is", () => {
		const rows = ["a", "<b>"].map((text) => html`<li>${text}</li>`);
		expect(html`<ul>${rows}${undefined}${3}</ul>`.text).toBe("<ul><li>a</li><li>&lt;b&gt;</li>3</ul>");
	});
});

describe("the form", () => {
	test("posts to /register what the operation takes, with a label for each field", () => {
		const { elements } = parse(registerPage({ plans }));
		expect(elements.find(({ tag }) => tag === "form")?.attributes).toMatchObject({
			method: "post",
			action: "/register",
		});
		const inputs = elements.filter(({ tag }) => tag === "input").map(({ attributes }) => attributes);
		expect(inputs.map(({ name, type, autocomplete }) => ({ name, type, autocomplete }))).toEqual([
			{ name: "email", type: "email", autocomplete: "email" },
			{ name: "name", type: "text", autocomplete: "name" },
		]);
		const labelled = elements.filter(({ tag }) => tag === "label").map(({ attributes }) => attributes.for);
		expect(labelled).toEqual(inputs.map(({ id }) => id));
		expect(inputs.map(({ required }) => required !== undefined)).toEqual([true, false]);
	});

	test("has the navigation of every page", () => {
		const addresses = parse(registerPage({ plans })).elements.map(({ attributes }) => attributes.href);
		expect(addresses).toEqual(expect.arrayContaining(["/", ...navigation.map(([address]) => address)]));
	});

	test("says what each plan allows", () => {
		const { text } = parse(registerPage({ plans }));
		expect(text).toContain("Free To try everything. 50 10");
		expect(text).toContain("Growth For an application. 2,500 60");
		expect(text).toContain("Enterprise As agreed. Unlimited As agreed");
		expect(parse(registerPage({ plans: [] })).elements.some(({ tag }) => tag === "table")).toBe(false);
	});

	test("names the operator where there is one", () => {
		const { elements } = parse(registerPage({ plans, contact: "data@example.com" }));
		expect(elements.map(({ attributes }) => attributes.href)).toContain("mailto:data@example.com");
	});

	test("shows an error at its field and keeps what was typed", () => {
		const error = invalid([{ loc: ["body", "email"], msg: "must be an e-mail address" }]);
		const page = registerPage({ plans, errors: registerErrors(error), values: { email: "ann@", name: "Ann" } });
		expect(input(page, "email")).toMatchObject({ value: "ann@", "aria-invalid": "true", autofocus: "" });
		expect(input(page, "name")).toMatchObject({ value: "Ann" });
		expect(input(page, "name")).not.toHaveProperty("aria-invalid");
		const { elements, text } = parse(page);
		const described = input(page, "email")?.["aria-describedby"]?.split(" ") ?? [];
		expect(described).toContain("email-error");
		for (const id of described) expect(elements.filter(({ attributes }) => attributes.id === id)).toHaveLength(1);
		expect(text).toContain("E-mail address must be an e-mail address");
		expect(text).toContain("Error: Get a free key");
	});

	test("shows what is about no field above the form", () => {
		expect(registerErrors(tooManyRequests("too many keys", 60))).toEqual([{ text: "too many keys" }]);
		expect(registerErrors(invalid([{ loc: ["body", "plan"], msg: "is no parameter" }]))).toEqual([
			{ text: "plan: is no parameter" },
		]);
		const page = registerPage({ plans, errors: [{ text: "too many keys" }] });
		expect(page.indexOf("Too many keys")).toBeGreaterThan(0);
		expect(page.indexOf("Too many keys")).toBeLessThan(page.indexOf("<form"));
	});

	test.each(hostile)("has the same elements whatever was typed: %s", (text) => {
		const shape = (value: string) =>
			parse(
				registerPage({
					plans: plans.map((plan) => ({ ...plan, description: value })),
					contact: value,
					errors: [{ text: value }, { field: "email", text: value }, { field: "name", text: value }],
					values: { email: value, name: value },
				}),
			).elements.map(({ tag, attributes }) => [tag, Object.keys(attributes)]);
		expect(shape(text)).toEqual(shape("plain"));
		expect(input(registerPage({ plans, values: { email: text } }), "email")?.value).toBe(text);
	});

	test("shows nothing that is no text, and not without end", () => {
		const page = registerPage({ plans, values: { email: { toString: "x" }, name: "x".repeat(10_000) } });
		expect(input(page, "email")?.value).toBe("");
		expect(input(page, "name")?.value).toHaveLength(300);
	});
});

describe("the page of a key", () => {
	test("shows it, and a command that works with it", () => {
		const { elements, text } = parse(issuedPage(issued, "https://api.example.com"));
		expect(text).toContain(`curl -H "X-API-Key: ${issued.key}" "https://api.example.com/projects?state=TX&per_page=5"`);
		expect(elements.filter(({ attributes }) => attributes.class === "key")).toHaveLength(1);
		expect(text).toContain("shown this once");
		expect(text).toContain("https://api.example.com/keys/revoke");
	});

	test.each(hostile)("has the same elements under any address: %s", (text) => {
		const shape = (url: string) => parse(issuedPage(issued, url)).elements.map(({ tag }) => tag);
		expect(shape(text)).toEqual(shape("https://api.example.com"));
	});
});

describe("pages", () => {
	const pages = [registerPage({ plans, contact: "data@example.com", errors: [{ text: "x" }] }), issuedPage(issued, "")];

	test.each(pages)("have a language, a title, a viewport, and no script or style of their own", (page) => {
		const { elements } = parse(page);
		const tags = elements.map(({ tag }) => tag);
		expect(elements.find(({ tag }) => tag === "html")?.attributes.lang).toBe("en");
		expect(tags.filter((tag) => tag === "title" || tag === "h1" || tag === "main")).toEqual(["title", "main", "h1"]);
		expect(tags.some((tag) => tag === "script" || tag === "style")).toBe(false);
		const attributes = elements.flatMap((element) => Object.keys(element.attributes));
		expect(attributes.filter((name) => name === "style" || name.startsWith("on"))).toEqual([]);
		const ids = elements.flatMap(({ attributes: { id } }) => id ?? []);
		expect(new Set(ids).size).toBe(ids.length);
	});

	test("name nothing from elsewhere", () => {
		for (const page of pages) {
			for (const { attributes } of parse(page).elements)
				expect(attributes.href ?? attributes.src ?? "/").toMatch(/^(#|\/[^/]|\/$|mailto:)/);
		}
	});
});
