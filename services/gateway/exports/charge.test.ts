import { expect, test } from "vitest";
import type { AskBilling } from "../payments/billing.ts";
import { type Charging, fileCharges } from "./charge.ts";

const sha256 = "a".repeat(64);

/** Charges with a ledger that knows no file, and what was requested of it and of the limiter. */
function charging() {
	const done: string[] = [];
	const ask = (async (name: string) => {
		done.push(name);
		return name === "coverFile" ? { covered_before: false } : { sha256: [] };
	}) as unknown as AskBilling;
	const authorizer = {
		countQuery: async () => void done.push("count"),
		giveBack: () => void done.push("giveBack"),
	};
	const raw = { closed: false };
	const of = { authorization: {}, caller: { accountId: 1 }, reply: { raw }, resource: "r" } as unknown as Charging;
	return { done, raw, of, charges: fileCharges({ authorizer, ask, log: { warn: () => {} } }) };
}

test("a file is covered by the query that is counted for it", async () => {
	const { done, of, charges } = charging();
	await charges.once(of, async () => ({ file: { sha256 } }));
	expect(done).toEqual(["listCoveredFiles", "count", "coverFile"]);
	expect(of.authorization.counted).toBe(true);
});

test("a caller that disconnects before its answer is neither counted nor covered", async () => {
	const { done, raw, of, charges } = charging();
	const answered = charges.once(of, async () => {
		raw.closed = true;
		return { file: { sha256 } };
	});
	await expect(answered).rejects.toMatchObject({ status: 499 });
	expect(done).toEqual(["listCoveredFiles", "count", "giveBack"]);
});
