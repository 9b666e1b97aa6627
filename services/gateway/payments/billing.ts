import type { Bus } from "#libs/bus/connect.ts";
import { type PlainName, requestJson } from "#libs/bus/requests/request.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";

/** Requests an operation of billing. @throws AppError what billing threw, 503 if it does not answer in time */
export type RequestBilling = <N extends PlainName>(name: N, params: ParamsInput<N>) => Promise<Reply<N>>;

export const billingRequester =
	(bus: Bus, timeoutMs: number): RequestBilling =>
	(name, params) =>
		requestJson(bus, name, params, { timeoutMs });

/** Makes a request function that repeats a request once after a 503, when it is unknown whether it was executed. Only for idempotent requests. */
export const requestTwice =
	(requestBilling: RequestBilling): RequestBilling =>
	async (name, params) => {
		try {
			return await requestBilling(name, params);
		} catch (error) {
			if (!(error instanceof AppError) || error.status !== 503) throw error;
			return await requestBilling(name, params);
		}
	};
