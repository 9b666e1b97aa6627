import { expect, test } from "vitest";
import { isSecret, secretFrom } from "#libs/contract/key.ts";
import { tokenOf } from "./token.ts";

const key = "a secret of the service, long enough";

test("the same payment yields the same valid token", () => {
	const token = tokenOf(key, "challenge", "spt_1");
	expect(isSecret(token, "cr_")).toBe(true);
	expect(tokenOf(key, "challenge", "spt_1")).toBe(token);
});

test("another challenge, shared payment token or server key yields another token", () => {
	const tokens = [
		tokenOf(key, "challenge", "spt_1"),
		tokenOf(key, "challenge", "spt_2"),
		tokenOf(key, "challenge2", "spt_1"),
		tokenOf(key, 'challenge","spt_1', ""),
		tokenOf(`${key}.`, "challenge", "spt_1"),
	];
	expect(new Set(tokens).size).toBe(5);
});

test("every challenge yields a valid token", () => {
	for (let number = 0; number < 2_000; number++)
		expect(isSecret(tokenOf(key, String(number), "spt"), "cr_")).toBe(true);
});

test("too few bytes yield no secret", () => {
	expect(() => secretFrom("cr_", new Uint8Array(31))).toThrow();
	expect(() => secretFrom("cr_", new Uint8Array(64).fill(255))).toThrow();
});
