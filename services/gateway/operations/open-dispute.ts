import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/request.ts";
import type { Handler } from "#libs/contract/index.ts";

/** Whose it is (the account of the key, else the address) goes along: its owner bounds what each may file. */
export function openDispute(bus: Bus, timeoutMs: number): Handler<"openDispute"> {
	return async (params, { http, caller }) => {
		if (http === undefined) throw new Error("a dispute was opened without the address that it is limited by");
		const filer = caller === undefined ? `address:${http.address}` : `account:${caller.accountId}`;
		const { bytes } = await request(bus, "recordDispute", { ...params, filer }, { timeoutMs });
		return { json: Buffer.from(bytes).toString(), dataVersion: 0 };
	};
}
