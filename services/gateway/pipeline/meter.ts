/** Step: usage. A call whose limits are taken is recorded once, when its answer has ended; a stream of events when it begins. */
import type { Usage } from "../authorization/usage.ts";
import type { Call } from "../calls/call.ts";
import type { Paid } from "../payments/settle.ts";
import type { Rates } from "./rate.ts";

export interface MeterOptions {
	usage: Usage;
	rates: Pick<Rates, "giveBack" | "giveBackRows">;
}

/** What failed on our side gives its query of the month back. @returns what records the call before its answer has ended, with this status */
export function meter(call: Call, { usage, rates }: MeterOptions): (status: number) => void {
	const { transport, operation } = call;
	const cameAt = performance.now();
	let isRecorded = false;
	const end = (status: number) => {
		if (isRecorded) return;
		isRecorded = true;
		const { caller, counted, isFree, paying } = call;
		// Nor is a query taken by what had to wait for another of the caller's own.
		const failed = status >= 500 || status === 429 || isFree;
		// Of a file it is known when the file is there.
		if (counted && failed) rates.giveBack(caller);
		// Nothing was read: it failed, or the page has it already (304).
		if (status !== 200) rates.giveBackRows(call);
		const entry = {
			id: transport.id,
			occurred_at: new Date(),
			account_id: caller.kind === "key" ? caller.accountId : null,
			key_id: caller.kind === "key" ? caller.keyId : null,
			operation: operation.name,
			status,
			counted: counted && !failed,
			duration_ms: performance.now() - cameAt,
		};
		const record = (paid?: Paid) =>
			usage.record({ ...entry, rail: paid?.rail ?? null, paid_micro_usd: paid?.paidMicroUsd ?? 0 });
		if (paying === undefined) record();
		else void paying.then(record, () => record());
	};
	transport.whenEnded(() => end(transport.status));
	return end;
}
