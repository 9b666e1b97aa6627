/** Charges files to callers with a key: one query of the month covers a file for a day, however often and in whatever ranges it is read. */
import { hash } from "node:crypto";
import { Readable } from "node:stream";
import type { OperationName } from "#libs/contract/index.ts";
import { within } from "#libs/contract/within.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { KeyCaller } from "../callers/caller.ts";
import { type Call, callerGone } from "../calls/call.ts";
import { Breaker } from "../limiter/breaker.ts";
import type { RequestBilling } from "../payments/billing.ts";
import type { CallResponse } from "../registry/bindings.ts";

export interface Charging {
	call: Call;
	caller: KeyCaller;
	/** See `resourceOf`. */
	resource: string;
}

export interface Charged {
	file: { sha256: string };
	answered?: CallResponse;
}

export interface FileCharges {
	/**
	 * Opens a file and takes one query of the month for it, unless one covers the file already. A caller without queries left is refused before
	 * the file is made, unless an earlier version is covered. A failed request takes none. @throws AppError 403, 429, and what `open` throws
	 */
	once<T extends Charged>(charging: Charging, open: () => Promise<T>): Promise<T>;
}

/** Identifies the call's file in the ledger. */
export const resourceOf = (name: OperationName, params: object): string =>
	hash("sha256", `${name} ${JSON.stringify(params)}`, "hex");

export interface FileChargesOptions {
	/** See `Rates` in `pipeline/rate.ts`. */
	rates: { countQuery(call: Call): Promise<boolean>; giveBack(caller: KeyCaller): void };
	requestBilling: RequestBilling;
	log: Pick<Logger, "warn">;
}

/** Longest wait for the ledger (ms). Without its reply each read of a file takes a query, like any other call. */
const ledgerWaitMs = 3_000;

export function fileCharges({ rates, requestBilling, log }: FileChargesOptions): FileCharges {
	const breaker = new Breaker({ now: Date.now });

	/** Undefined if the ledger does not respond. */
	async function tryLedger<T>(request: () => Promise<T>): Promise<T | undefined> {
		const pass = breaker.enter();
		if (pass === undefined) return undefined;
		try {
			const reply = await within(request(), ledgerWaitMs);
			if (reply === undefined) throw new Error(`no reply within ${ledgerWaitMs} ms`);
			breaker.succeeded(pass);
			return reply.value;
		} catch (err) {
			if (!breaker.open)
				log.warn({ err }, "the ledger is unavailable: meanwhile each read of an export file takes a query");
			breaker.failed(pass);
			return undefined;
		}
	}

	return {
		async once(charging, open) {
			const { call, caller, resource } = charging;
			const of = { account_id: caller.accountId, resource };
			const covered = (await tryLedger(() => requestBilling("listCoveredFiles", of)))?.sha256 ?? [];
			let taken = false;
			let allowed = false;
			const take = async () => {
				taken = await rates.countQuery(call);
				allowed = true;
			};
			const giveBack = () => {
				if (taken) rates.giveBack(caller);
				taken = false;
			};
			if (covered.length === 0) await take();
			let body: CallResponse["body"] | undefined;
			try {
				const opened = await open();
				body = opened.answered?.body;
				const { sha256 } = opened.file;
				if (covered.includes(sha256)) return opened;
				// The data has changed, so this is not the covered file, and needs a query.
				if (!allowed) await take();
				// The call has already been recorded as uncounted, so it must not cover the file for later calls.
				if (call.transport.closed) throw callerGone();
				// The call was allowed beyond the plan and took no query, so it covers nothing.
				if (!taken) return opened;
				const before = await tryLedger(() => requestBilling("coverFile", { ...of, sha256 }));
				if (before?.covered_before === true) giveBack();
				call.counted = taken;
				if (!call.transport.closed) return opened;
				// The file is covered now, so its query is not given back.
				taken = false;
				throw callerGone();
			} catch (error) {
				giveBack();
				if (body instanceof Readable) body.destroy();
				throw error;
			}
		},
	};
}
