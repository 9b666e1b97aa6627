/**
 * The life of a call, a file a step. Its size was bounded before (`http/limits.ts`: 414, 431; `http/bodies.ts`: 413), its answer is sent
 * after (`transports/`, `mcp/`), and when that has ended it is recorded as usage (`meter.ts`).
 */
import { AppError } from "#libs/contract/errors.ts";
import type { ApiKeyCache } from "../authorization/api-key-cache.ts";
import type { PageTokens } from "../authorization/page-tokens.ts";
import type { Usage } from "../authorization/usage.ts";
import { type Call, queueCallerOf } from "../calls/call.ts";
import type { Coding } from "../codings/codings.ts";
import type { Readers } from "../http/readers.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import type { Payments } from "../payments/pay.ts";
import type { Paid } from "../payments/settle.ts";
import type { Answered } from "../registry/answered.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { type ExecuteOptions, executor } from "./execute.ts";
import { identifier } from "./identify.ts";
import { meter } from "./meter.ts";
import { parser } from "./parse.ts";
import { payer } from "./pay.ts";
import { pricer } from "./price.ts";
import type { Rates } from "./rate.ts";

export interface PipelineOptions extends ExecuteOptions {
	keys: ApiKeyCache;
	pageTokens: PageTokens;
	rates: Rates;
	payments: Payments;
	abuseThrottle: AbuseThrottle;
	usage: Usage;
	readers: Readers;
	access: {
		KEYLESS: "open" | "pay" | "closed";
		ANONYMOUS_PER_MINUTE: number;
		FREE_PER_MINUTE: number;
		PAGES_PER_MINUTE: number;
		PAGE_ROWS_PER_DAY: number;
	};
}

export interface Pipeline {
	/** What does not depend on the parameters: for a body that is still to be read, this is done first. @throws AppError 402, 403, 429, 503 */
	authorize(call: Call): Promise<void>;
	/** The rest, for a call that is authorized. Paid: with what is to be said when it is sent. @throws AppError */
	answer(call: Call, options: { coding: Coding | undefined }): Promise<Answered | Paid>;
}

export type AuthorizeOptions = Pick<
	PipelineOptions,
	"keys" | "pageTokens" | "rates" | "payments" | "abuseThrottle" | "usage" | "access"
>;

/** The first steps, for what is no call of an operation, too. */
export function authorizerOf(operation: HttpOperation, options: AuthorizeOptions): Pipeline["authorize"] {
	const { rates } = options;
	const identify = identifier(operation, options);
	const price = pricer(operation, options);
	return async (call) => {
		await identify(call);
		await rates.rate(call);
		await price(call);
	};
}

export function pipelineOf(operation: HttpOperation, options: PipelineOptions): Pipeline {
	const { rates, readers } = options;
	const parse = parser(operation);
	const execute = executor(operation, options);
	const pay = payer(operation, options);
	return {
		authorize: authorizerOf(operation, options),
		async answer(call, { coding }) {
			parse(call);
			await rates.quota(call);
			const record = meter(call, options);
			if (call.params === undefined) throw call.fault;
			readers.makeRoom(queueCallerOf(call));
			// What was paid for is stored as it is for a repetition of the request, perhaps by another client: never compressed.
			const answered =
				call.payment === undefined
					? await execute(call, coding).catch((error: unknown) => {
							if (error instanceof AppError && error.counts === false) call.isFree = true;
							throw error;
						})
					: await pay(call, () => execute(call, undefined));
			if (operation.operation.eventStream !== undefined) record(answered.status);
			return answered;
		},
	};
}
