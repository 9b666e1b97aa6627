/** Operations of an account's owner: confirming its e-mail address, its export and its deletion. */
import type { Bus } from "#libs/bus/connect.ts";
import { requestJson } from "#libs/bus/requests/request.ts";
import type { Handler, ParamsInput, Reply } from "#libs/contract/index.ts";
import { digestOf } from "#libs/contract/key.ts";
import { type RequestBilling, requestTwice } from "../payments/billing.ts";
import { callerOf } from "./keys.ts";

export interface AccountOptions {
	requestBilling: RequestBilling;
	bus: Bus;
}

export function confirmEmail({ requestBilling }: Pick<AccountOptions, "requestBilling">): Handler<"confirmEmail"> {
	return async ({ token }) => {
		const { email } = await requestTwice(requestBilling)("redeemEmailLink", { token_sha256: digestOf(token) });
		return { json: JSON.stringify({ email, email_verified: true }) };
	};
}

/** Handles a link in an alert mail. */
export function openAlertLink(
	bus: Bus,
	action: ParamsInput<"openAlertLink">["action"],
): Handler<"confirmAlerts"> & Handler<"stopAlerts"> {
	return async ({ token }) => ({ json: JSON.stringify(await requestJson(bus, "openAlertLink", { token, action })) });
}

const payments = "Payments without a key and prepaid credits are stored without an account: /receipts has each.";

export function exportAccount({ requestBilling, bus }: AccountOptions): Handler<"exportAccount"> {
	return async (_params, context) => {
		const { accountId, plan } = callerOf(context);
		const [record, watchlists, webhooks, saved_queries] = await Promise.all([
			requestBilling("describeAccount", { account_id: accountId }),
			readAll("listWatchlists", bus, { accountId, plan }),
			readAll("listWebhooks", bus, { accountId, plan }),
			readAll("listSavedQueries", bus, { accountId, plan }),
		]);
		const notes = ["Of keys and tokens only the SHA-256 is stored.", payments];
		const reply: Reply<"exportAccount"> = { ...record, watchlists, webhooks, saved_queries, notes };
		return { json: JSON.stringify(reply) };
	};
}

type OwnList = "listWatchlists" | "listWebhooks" | "listSavedQueries";
const rowsPerPage = 200;

async function readAll<N extends OwnList>(
	name: N,
	bus: Bus,
	caller: Parameters<typeof requestJson>[3],
): Promise<Reply<N>["data"]> {
	const rows: object[] = [];
	for (let cursor: string | null | undefined = "*"; cursor; ) {
		const page: Reply<OwnList> = await requestJson<OwnList>(bus, name, { per_page: rowsPerPage, cursor }, caller);
		rows.push(...page.data);
		cursor = page.meta.next_cursor;
	}
	return rows as Reply<N>["data"];
}

/** Subscriptions are deleted first: if the rest fails, the key still works and the request can be repeated. */
export function deleteAccount({ requestBilling, bus }: AccountOptions): Handler<"deleteAccount"> {
	return async ({ confirm }, context) => {
		const { keyId: key_id, accountId: account_id } = callerOf(context);
		await requestBilling("checkDeletion", { key_id, confirm });
		await requestJson(bus, "deleteSubscriptions", { account_id });
		const { deleted_at } = await requestTwice(requestBilling)("closeAccount", { account_id });
		const reply: Reply<"deleteAccount"> = {
			deleted_at,
			deleted: [
				"e-mail address and name",
				"all keys: they are revoked",
				"webhooks with their deliveries, watchlists and saved queries",
				"usage and connections of assistants: within two hours",
			],
			retained: [
				"The account's number and the SHA-256 of its keys, so that these are never valid again.",
				`Payments, as accounting law requires. ${payments}`,
				"Copies in backups, until these are replaced.",
			],
		};
		return { json: JSON.stringify(reply) };
	};
}
