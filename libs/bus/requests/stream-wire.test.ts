import { expect, test } from "vitest";
import { inChunks } from "./stream-wire.ts";

async function cut(pieces: (string | Uint8Array)[], size: number): Promise<string[]> {
	async function* source() {
		yield* pieces;
	}
	const chunks = await Array.fromAsync(inChunks(source(), size));
	return chunks.map((chunk) => Buffer.from(chunk).toString());
}

test("small pieces are joined into one chunk", async () => {
	expect(await cut(["a", "b", "", "c", "d", "e"], 2)).toEqual(["ab", "cd", "e"]);
});

test("long pieces are split", async () => {
	expect(await cut(["abcdefg", "h"], 3)).toEqual(["abc", "def", "gh"]);
});

test("text and bytes can be mixed, and a character can be split across chunks", async () => {
	expect((await cut([Buffer.from("ab"), "cd"], 4)).join("")).toBe("abcd");
	async function* source() {
		yield "ü";
	}
	expect((await Array.fromAsync(inChunks(source(), 1))).map(([byte]) => byte)).toEqual([...Buffer.from("ü")]);
});

test("an empty source yields no chunk, and no empty chunk follows a full last one", async () => {
	expect(await cut([], 4)).toEqual([]);
	expect(await cut([""], 4)).toEqual([]);
	expect(await cut(["abcd"], 4)).toEqual(["abcd"]);
});

test("a piece that has waited too long is sent incomplete", async () => {
	async function* source() {
		yield* ["a", "", "bcd", "e"];
	}
	const chunks = await Array.fromAsync(inChunks(source(), 2, 0));
	expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual(["a", "bc", "d", "e"]);
});

test("a yielded chunk is not written to again", async () => {
	async function* source() {
		yield "ab";
		yield "cd";
	}
	const chunks = inChunks(source(), 2);
	const first = await chunks.next();
	await chunks.next();
	expect(Buffer.from(first.value ?? []).toString()).toBe("ab");
});
