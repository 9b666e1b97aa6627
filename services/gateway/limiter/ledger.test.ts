import { describe, expect, it } from "vitest";
import { openLedger } from "./ledger.ts";

describe("reading the ledger", () => {
	function ledgerOf(countUsed: (subject: string, month: string) => Promise<number>, timeoutMs = 1_000) {
		const clock = { ms: 0 };
		const warnings: unknown[] = [];
		const log = { warn: (...words: unknown[]) => void warnings.push(words) };
		return { clock, warnings, ask: openLedger({ countUsed, now: () => clock.ms, log, timeoutMs }) };
	}

	it("happens once for concurrent callers of the same month and subject", async () => {
		const requests: string[] = [];
		const { ask } = ledgerOf(async (subject, month) => requests.push(`${subject} ${month}`));
		const counts = await Promise.all([
			ask("a", "2026-11"),
			ask("a", "2026-11"),
			ask("b", "2026-11"),
			ask("a", "2026-12"),
		]);
		expect(counts).toEqual([1, 1, 2, 3]);
		expect(requests).toEqual(["a 2026-11", "b 2026-11", "a 2026-12"]);
	});

	it("pauses for a second after a failure, which is logged once", async () => {
		let requests = 0;
		const { ask, clock, warnings } = ledgerOf(async () => {
			requests++;
			throw new Error("billing is away");
		});
		for (let index = 0; index < 10; index++) expect(await ask(`a${index}`, "2026-11")).toBeUndefined();
		expect(requests).toBe(1);
		clock.ms = 1_000;
		await ask("a", "2026-11");
		expect(requests).toBe(2);
		expect(warnings).toHaveLength(1);
	});

	it("does not wait for a ledger that hangs", async () => {
		const { ask } = ledgerOf(() => new Promise(() => {}), 1);
		expect(await ask("a", "2026-11")).toBeUndefined();
	});

	it("accepts only counts", async () => {
		for (const nonsense of [-1, Number.NaN, 1.5]) {
			const { ask } = ledgerOf(async () => nonsense);
			expect(await ask("a", "2026-11")).toBeUndefined();
		}
	});
});
