import { expect, test } from "vitest";
import type { RequestBilling } from "../payments/billing.ts";
import { type Charging, fileCharges } from "./charge.ts";

const sha256 = "a".repeat(64);

/** Charges with a ledger that knows no file, and what was requested of it and of the limiter. */
function charging() {
	const done: string[] = [];
	const ask = (async (name: string) => {
		done.push(name);
		return name === "coverFile" ? { covered_before: false } : { sha256: [] };
	}) as unknown as RequestBilling;
	const rates = {
		countQuery: async () => {
			done.push("count");
			return true;
		},
		giveBack: () => void done.push("giveBack"),
	};
	const transport = { closed: false };
	const of = { call: { transport }, caller: { accountId: 1 }, resource: "r" } as unknown as Charging;
	return { done, transport, of, charges: fileCharges({ rates, requestBilling: ask, log: { warn: () => {} } }) };
}

test("one counted query covers a file", async () => {
	const { done, of, charges } = charging();
	await charges.once(of, async () => ({ file: { sha256 } }));
	expect(done).toEqual(["listCoveredFiles", "count", "coverFile"]);
	expect(of.call.counted).toBe(true);
});

test("a caller that disconnects before the response is neither counted nor covered", async () => {
	const { done, transport, of, charges } = charging();
	const answered = charges.once(of, async () => {
		transport.closed = true;
		return { file: { sha256 } };
	});
	await expect(answered).rejects.toMatchObject({ status: 499 });
	expect(done).toEqual(["listCoveredFiles", "count", "giveBack"]);
});
