/**
 * The steps of a call. Before them, `pools/` limits the size of the request (413, 414, 431). After them, `transports/` and `mcp/` send the
 * response; when that has ended, the call is recorded as usage.
 */
import { AppError } from "#libs/contract/errors.ts";
import { takesBody } from "#libs/contract/operation.ts";
import type { Access } from "../access.ts";
import { type Call, queueCallerOf, type Transport } from "../calls/call.ts";
import { bodyReader, readBody } from "../http/body.ts";
import type { ContentEncoding } from "../http/negotiation.ts";
import type { Paid } from "../payments/settle.ts";
import type { Readers } from "../pools/readers.ts";
import type { CallResponse, HttpOperation } from "../registry/bindings.ts";
import { paramsReader } from "../registry/params.ts";
import { type ExecuteOptions, executeStep } from "./execute.ts";
import { identifyStep } from "./identify.ts";
import { pageReadCheck } from "./page-read.ts";
import { payStep, priceStep } from "./price.ts";
import type { AccessSettings } from "./rate.ts";

export interface PipelineOptions
	extends ExecuteOptions,
		Pick<Access, "keys" | "pageTokens" | "rates" | "payments" | "abuseThrottle" | "usage"> {
	readers: Readers;
	settings: AccessSettings;
}

export interface Pipeline {
	/** Runs the steps that do not need the parameters, before a body is read. @throws AppError 400, 402, 403, 414, 429, 503 */
	authorize(call: Call): Promise<void>;
	/** Runs the other steps of an authorized call. @throws AppError */
	answer(call: Call, encoding: ContentEncoding | undefined): Promise<CallResponse | Paid>;
}

/** @returns `Pipeline.authorize`, which is also used for MCP messages that make no call */
export function authorizerOf(operation: HttpOperation, options: PipelineOptions): Pipeline["authorize"] {
	const { rates } = options;
	const identify = identifyStep(operation, options);
	const price = priceStep(operation, options);
	return async (call) => {
		await identify(call);
		await rates.rate(call);
		await price(call);
	};
}

export function pipelineOf(operation: HttpOperation, options: PipelineOptions): Pipeline {
	const { rates, readers } = options;
	const parse = parseStep(operation);
	const execute = executeStep(operation, options);
	const pay = payStep(operation, options);
	return {
		authorize: authorizerOf(operation, options),
		async answer(call, encoding) {
			parse(call);
			await rates.quota(call);
			const record = meter(call, options);
			if (call.params === undefined) throw call.fault;
			readers.makeRoom(queueCallerOf(call));
			// A paid response is not compressed, because it is stored and may be sent again to a client that accepts no encoding.
			const response =
				call.payment === undefined
					? await execute(call, encoding).catch((error: unknown) => {
							if (error instanceof AppError && error.counts === false) call.refusedBeforeWork = true;
							throw error;
						})
					: await pay(call, () => execute(call, undefined));
			if (operation.operation.eventStream !== undefined) record(response.status);
			return response;
		},
	};
}

/** @returns a step that sets `params`, or `fault` (AppError 400, 413, 415, 422) */
function parseStep(operation: HttpOperation): (call: Call) => void {
	const read = reader(operation);
	const check = pageReadCheck(operation);
	return (call) => {
		try {
			const params = read(call.transport);
			check?.(params);
			call.params = operation.rendering?.params(params) ?? params;
		} catch (fault) {
			call.fault = fault;
		}
	};
}

function reader({ name, http }: HttpOperation): (from: Transport) => object {
	if (!takesBody(http.method)) {
		const read = paramsReader(name);
		return ({ path, query }) => read(path, query);
	}
	const read = bodyReader(name);
	if (http.ignoresBody) return ({ path, query }) => read(path, query, {});
	return ({ path, query, headers, body }) => read(path, query, readBody(headers["content-type"], body ?? ""));
}

/**
 * Records a call once, when its response ends. A failed call gives its query of the month back. @returns a function that records the call
 * earlier
 */
function meter(call: Call, { usage, rates }: PipelineOptions): (status: number) => void {
	const { transport, operation } = call;
	const startedAt = performance.now();
	let isRecorded = false;
	const end = (status: number) => {
		if (isRecorded) return;
		isRecorded = true;
		const { caller, counted, refusedBeforeWork, paying } = call;
		// A call that was refused because of the caller's other calls (429) takes no query either.
		const takesNoQuery = status >= 500 || status === 429 || refusedBeforeWork;
		// `counted` is false for a file that was never made, because its query is taken when the file exists.
		if (counted && takesNoQuery) rates.giveBack(caller);
		// With another status the page received no rows: the call failed, or the page already has the rows (304).
		if (status !== 200) rates.giveBackRows(call);
		const entry = {
			id: transport.id,
			occurred_at: new Date(),
			account_id: caller.kind === "key" ? caller.accountId : null,
			key_id: caller.kind === "key" ? caller.keyId : null,
			operation: operation.name,
			status,
			counted: counted && !takesNoQuery,
			duration_ms: performance.now() - startedAt,
		};
		const record = (paid?: Paid) =>
			usage.record({ ...entry, rail: paid?.rail ?? null, paid_micro_usd: paid?.paidMicroUsd ?? 0 });
		if (paying === undefined) record();
		else void paying.then(record, () => record());
	};
	transport.whenEnded(() => end(transport.status));
	return end;
}
