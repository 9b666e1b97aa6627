import { readFile, writeFile } from "node:fs/promises";
import { expect } from "vitest";

/** Fails unless `document` is the one recorded in `file`; UPDATE_SNAPSHOT=1 records it. */
export async function expectRecorded(document: object, file: URL): Promise<void> {
	const members = Object.entries(document).map(([key, value]): [string, string] => [
		key,
		lines(value, key === "paths" || key === "components" ? 2 : 1, "\t"),
	]);
	await expectRecordedText(`${block(members, "")}\n`, file);
}

export async function expectRecordedText(text: string, file: URL): Promise<void> {
	if (process.env.UPDATE_SNAPSHOT === "1") await writeFile(file, text);
	expect(text).toBe(await readFile(file, "utf8"));
}

/** JSON with a line for each operation, schema, message and channel, so that a diff names the one that changed. */
function lines(value: unknown, depth: number, indent: string): string {
	if (depth === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
	const members = Object.entries(value).filter(([, member]) => member !== undefined);
	return block(
		members.map(([key, member]) => [key, lines(member, depth - 1, `${indent}\t`)]),
		indent,
	);
}

const block = (members: [string, string][], indent: string) =>
	`{\n${members.map(([key, text]) => `${indent}\t${JSON.stringify(key)}: ${text}`).join(",\n")}\n${indent}}`;
