import { describe, expect, test } from "vitest";
import { digestOf, hintOf, isSecret, makeSecret, secretFrom } from "./key.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const fixed = "pk_qoqrqvu5PjYnavduD45dyPMwRbguKI5u4PPV6r";
const made = Array.from({ length: 20 }, () => makeSecret("pk_"));

test("a key is pk_ and 38 characters of base62; a credit token begins with cr_", () => {
	for (const secret of made) expect(secret).toMatch(/^pk_[0-9A-Za-z]{38}$/);
	expect(makeSecret("cr_")).toMatch(/^cr_[0-9A-Za-z]{38}$/);
});

test("a generated secret is valid only as its own kind", () => {
	for (const secret of made) expect([isSecret(secret, "pk_"), isSecret(secret, "cr_")]).toEqual([true, false]);
	expect(isSecret(makeSecret("cr_"), "cr_")).toBe(true);
});

test("a key that was issued once remains valid, and only its digest is stored", () => {
	expect(isSecret(fixed, "pk_")).toBe(true);
	expect(digestOf(fixed)).toBe("3f28257c2d521ecdbae99023fa9934a363d2584c9f357b3ee3b7b3e71ded1c2e");
});

test("a secret derived from bytes is deterministic, differs for other bytes, and is refused for too few bytes", () => {
	const bytes = Uint8Array.from({ length: 64 }, (_, at) => at * 4);
	const secret = secretFrom("cr_", bytes);
	expect([isSecret(secret, "cr_"), secretFrom("cr_", bytes) === secret]).toEqual([true, true]);
	expect(secretFrom("cr_", bytes.with(0, 1))).not.toBe(secret);
	expect(() => secretFrom("cr_", bytes.slice(0, 31))).toThrow("too few bytes");
	// Bytes that would make some characters likelier do not count.
	expect(() => secretFrom("cr_", new Uint8Array(64).fill(248))).toThrow("too few bytes");
});

describe("a typing error is detected", () => {
	test("in each single character, whatever replaces it", () => {
		const passed = [fixed, ...made.slice(0, 3)].flatMap((secret) =>
			[...secret].flatMap((right, at) =>
				[...`${base62}_- \n`]
					.filter((wrong) => wrong !== right)
					.map((wrong) => secret.slice(0, at) + wrong + secret.slice(at + 1))
					.filter((typed) => isSecret(typed, "pk_")),
			),
		);
		expect(passed).toEqual([]);
	});

	test("if two characters are swapped", () => {
		const swaps = [...fixed].flatMap((one, at) =>
			[...fixed].slice(at + 1).flatMap((other, further) => {
				const to = at + 1 + further;
				const swapped = fixed.slice(0, at) + other + fixed.slice(at + 1, to) + one + fixed.slice(to + 1);
				return one === other ? [] : [swapped];
			}),
		);
		expect(swaps.length).toBeGreaterThan(700);
		expect(swaps.filter((typed) => isSecret(typed, "pk_"))).toEqual([]);
	});

	test.each([
		["one character missing", fixed.slice(0, -1)],
		["one character more", `${fixed}0`],
		["a line's end behind it", `${fixed}\n`],
		["a blank before it", ` ${fixed}`],
		["the case of its prefix", fixed.replace("pk_", "PK_")],
		["another prefix", fixed.replace("pk_", "cr_")],
		["nothing but the prefix", "pk_"],
		["nothing", ""],
	])("%s", (_, typed) => expect([isSecret(typed, "pk_"), isSecret(typed, "cr_")]).toEqual([false, false]));
});

test("every character is equally likely at every position", () => {
	const secrets = Array.from({ length: 4_000 }, () => makeSecret("pk_").slice(3, 35));
	const counts = new Map<string, number>();
	for (const letter of secrets.join("")) counts.set(letter, (counts.get(letter) ?? 0) + 1);
	const mean = (4_000 * 32) / 62;
	// Eight standard deviations: by chance once in 10^13 runs. A byte taken modulo 62 makes the first eight likelier by a fifth: by ten.
	for (const letter of base62) expect(Math.abs((counts.get(letter) ?? 0) - mean)).toBeLessThan(8 * Math.sqrt(mean));
	for (let place = 0; place < 32; place++) expect(new Set(secrets.map((secret) => secret[place])).size).toBe(62);
	expect(new Set(secrets).size).toBe(4_000);
});

test("a hint shows eight of a key's 38 characters, of which half are a checksum", () => {
	for (const secret of made) {
		const hint = hintOf(secret);
		expect(hint).toHaveLength(12);
		const [start = "", end = ""] = hint.split("…");
		expect([secret.startsWith(start), secret.endsWith(end), start.length, end.length]).toEqual([true, true, 7, 4]);
		expect(isSecret(hint, "pk_")).toBe(false);
	}
	expect(new Set(made.map(hintOf)).size).toBe(made.length);
});
