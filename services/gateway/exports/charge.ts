/** Charges files to callers with a key: one query of the month pays for a file for a day, however often and in whatever ranges it is read. */
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
	response?: CallResponse;
}

export interface FileCharges {
	/**
	 * Opens a file and takes one query of the month for it, unless an earlier query covers the file. A caller without queries left is refused
	 * before the file is made, unless an earlier version of the file is covered. A failed request takes no query. @throws AppError 403, 429, and
	 * what `open` throws
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

/** Longest wait for the ledger. Without its reply, each read of a file takes a query, like any other call. */
const maxLedgerWaitMs = 3_000;

export function fileCharges({ rates, requestBilling, log }: FileChargesOptions): FileCharges {
	const breaker = new Breaker({ now: Date.now });

	/** Undefined if the ledger does not respond. */
	async function tryLedger<T>(request: () => Promise<T>): Promise<T | undefined> {
		const pass = breaker.enter();
		if (pass === undefined) return undefined;
		try {
			const reply = await within(request(), maxLedgerWaitMs);
			if (reply === undefined) throw new Error(`no reply within ${maxLedgerWaitMs} ms`);
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
			const owner = { account_id: caller.accountId, resource };
			const coveredFiles = (await tryLedger(() => requestBilling("listCoveredFiles", owner)))?.sha256 ?? [];
			let hasTakenQuery = false;
			let isAllowed = false;
			const takeQuery = async () => {
				hasTakenQuery = await rates.countQuery(call);
				isAllowed = true;
			};
			const giveBack = () => {
				if (hasTakenQuery) rates.giveBack(caller);
				hasTakenQuery = false;
			};
			if (coveredFiles.length === 0) await takeQuery();
			let body: CallResponse["body"] | undefined;
			try {
				const opened = await open();
				body = opened.response?.body;
				const { sha256 } = opened.file;
				if (coveredFiles.includes(sha256)) return opened;
				// The data has changed, so this file is not a covered one, and needs a query.
				if (!isAllowed) await takeQuery();
				// The call has already been recorded as uncounted, so it must not cover the file for later calls.
				if (call.transport.closed) throw callerGone();
				// The plan was used up, so the call took no query and covers nothing.
				if (!hasTakenQuery) return opened;
				const reply = await tryLedger(() => requestBilling("coverFile", { ...owner, sha256 }));
				if (reply?.covered_before === true) giveBack();
				call.counted = hasTakenQuery;
				if (!call.transport.closed) return opened;
				// The file is covered now, so its query is not given back.
				hasTakenQuery = false;
				throw callerGone();
			} catch (error) {
				giveBack();
				if (body instanceof Readable) body.destroy();
				throw error;
			}
		},
	};
}
