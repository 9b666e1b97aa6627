import { expect, test } from "vitest";
import { tokensOf } from "./highlight.ts";

test.each([
	["sh", `curl 'https://a?b&c' -H "X-API-Key: $KEY" | jq -r '.data[] | "\\(.a)"' # <all> &amp; more`],
	["js", `for await (const a of list()) console.log(\`\${a} " < ' & >\`); // null`],
	["py", "import eids\nprint(f'{1} & <b>', None)  # end"],
	["sql", "select count(*) as n from projects where name = 'O''Brien' -- <b>"],
	["json", '{"a": [1.5, null, true, "<b> & \\"c\\""]}'],
	["text", "<b> & more"],
])("the tokens of %s join to the text", (language, text) => {
	expect(
		tokensOf(text, language)
			.map((token) => token.text)
			.join(""),
	).toBe(text);
});

test("tokens have their scope, and text of an unknown language has none", () => {
	expect(tokensOf("select 1 -- one", "sql")).toEqual([
		{ scope: "keyword", text: "select" },
		{ scope: undefined, text: " " },
		{ scope: "number", text: "1" },
		{ scope: undefined, text: " " },
		{ scope: "comment", text: "-- one" },
	]);
	expect(tokensOf("select 1", "text")).toEqual([{ scope: undefined, text: "select 1" }]);
});
