import { expect, test } from "vitest";
import { printFields, printTable } from "./command-line.ts";

test("columns are as wide as their values, and no line ends in blanks", () => {
	const rows = [
		{ id: 1, email: "a@example.org", plan: "Free" },
		{ id: 20, email: "b@example.org", plan: null },
	];
	expect(printTable(["id", "email", "plan"], rows)).toBe(
		["id  email          plan", "1   a@example.org  Free", "20  b@example.org"].join("\n"),
	);
});

test("a table without rows is its header", () => expect(printTable(["id", "hint"], [])).toBe("id  hint"));

test("each field has a line, and null fields are omitted", () => {
	expect(printFields({ hint: "pk_abcd…wxyz", used: 0, revoked: null, name: undefined })).toBe(
		"hint  pk_abcd…wxyz\nused  0",
	);
});

test("text of third parties cannot move the cursor, colour the terminal or reverse the text", () => {
	expect(printFields({ name: "a\u001b[2Jb\nc\u202ed" })).toBe("name  a?[2Jb?c?d");
	expect(printTable(["name"], [{ name: "\u001b]0;x\u0007" }])).toBe("name\n?]0;x?");
});
