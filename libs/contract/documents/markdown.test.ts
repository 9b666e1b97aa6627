import { expect, test } from "vitest";
import { blocksOf, inlinesOf } from "./markdown.ts";

test("headings, paragraphs of several lines, lists and code become blocks", () =>
	expect(blocksOf("# A\n\none\ntwo\n- x\n- y\n\n```sh\necho 1\n\n# no heading\n```\nend")).toEqual([
		{ kind: "heading", text: "A" },
		{ kind: "paragraph", text: "one two" },
		{ kind: "list", items: ["x", "y"] },
		{ kind: "code", language: "sh", text: "echo 1\n\n# no heading" },
		{ kind: "paragraph", text: "end" },
	]));

test("a table has a head and rows", () =>
	expect(blocksOf("| A | B |\n|---|---|\n| `c` | d |\n\ne")).toEqual([
		{ kind: "table", head: ["A", "B"], rows: [["`c`", "d"]] },
		{ kind: "paragraph", text: "e" },
	]));

test("unclosed code is refused", () => expect(() => blocksOf("```sh\necho")).toThrow("is not terminated"));

test("code, emphasis and links are inline; other addresses remain text", () =>
	expect(inlinesOf("a `b*c` **d** [e](/f) [g](javascript:h)")).toEqual([
		{ kind: "text", text: "a " },
		{ kind: "code", text: "b*c" },
		{ kind: "text", text: " " },
		{ kind: "strong", text: "d" },
		{ kind: "text", text: " " },
		{ kind: "link", text: "e", address: "/f" },
		{ kind: "text", text: " [g](javascript:h)" },
	]));
