/** Operations on accounts, their keys and plans: issue keys, verify an address, replace a lost key, export the data, delete the account. */
import { conflict, forbidden, invalid, keyNeeded, notFound } from "#libs/contract/errors.ts";
import type { Handlers, Reply } from "#libs/contract/index.ts";
import { maxExportedRequests } from "#libs/contract/operations/access/billing-fields.ts";
import { priceMicroUsd, prices } from "#libs/contract/vocabulary.ts";
import { jsonReply, oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { type Resources, uncached } from "../resources.ts";
import {
	capKey,
	closeAccount,
	emailOf,
	normalizeEmail,
	recoverKey,
	registerAccount,
	replaceKey,
	revokeKey,
	verifyAddress,
} from "../tables/accounts.ts";
import { grantOf, keysInFull, limits } from "../tables/keys.ts";
import { linkHours, queueMail } from "../tables/mails.ts";

const noMail = () => forbidden("this service sends no e-mail: write to its operator");
const linkNote = `It works once, for ${linkHours} hours; an inbox gets few mails a day.`;

const pricesUsd = Object.fromEntries(prices.map((tier) => [tier, priceMicroUsd[tier] / 1e6]));

export const accountOperations = ({ sql, now, sendsMail = false }: Resources) =>
	({
		issueKey: async ({ email, name, ...key }) =>
			uncached(await sql.begin((tx) => registerAccount(tx, { email, name, key, at: now(), sendsMail }))),

		replaceKey: async ({ key_id: keyId, grace_seconds: graceSeconds, ...newKey }) =>
			uncached(await sql.begin((tx) => replaceKey(tx, { keyId, newKey, graceSeconds, at: now() }))),

		capKey: async ({ key_id: keyId, daily_queries: dailyQueries }) =>
			uncached(await sql.begin((tx) => capKey(tx, { keyId, dailyQueries, at: now() }))),

		endKey: async ({ key_id }) => uncached(await sql.begin((tx) => revokeKey(tx, key_id, now()))),

		/** The reply includes expired keys: a key may expire while the reply is cached, so the gateway checks the expiry at each request. */
		resolveKey: ({ sha256 }) =>
			oneJsonReply<Reply<"resolveKey">>(
				sql,
				sql`
				select json_build_object('grant', (select ${grantOf(sql)} from ${keysInFull(sql)} where k.sha256 = ${sha256}))`,
			),

		/** Gateways cache the reply: only migrations change plans, and they raise the data version. */
		listPlans: () =>
			oneJsonReply<Reply<"listPlans">>(
				sql,
				sql`
				select json_build_object('plans', json_agg(json_build_object('name', name, 'monthly_queries', monthly_queries,
					'per_minute', per_minute, 'description', description) order by position),
					'price_per_call_usd', ${JSON.stringify(pricesUsd)}::text::json) from plans`,
			),

		async verifyEmail({ email }, { accountId }) {
			if (accountId === undefined) throw keyNeeded("this endpoint requires an API key");
			if (!sendsMail) throw noMail();
			const address = normalizeEmail(email);
			const isVerified = await sql.begin(async (tx) => {
				const [account] = await tx<{ email: string | null }[]>`
					select email from accounts where id = ${accountId} and deleted_at is null for no key update`;
				if (account === undefined) throw notFound("no such account");
				if (account.email !== null && account.email !== address)
					throw conflict("the account has another verified address, which the operator of the service can change");
				if (account.email === null) await queueMail(tx, { purpose: "verify", accountId, address, at: now() });
				return account.email !== null;
			});
			return uncached({
				note: isVerified ? "The address is verified." : `A link is mailed to ${address}: open it. ${linkNote}`,
			});
		},

		redeemEmailLink: async ({ token_sha256 }) =>
			uncached(await sql.begin((tx) => verifyAddress(tx, token_sha256, now()))),

		/** Sends the same reply whether the address has an account or not. */
		async mailKeyLink({ email }) {
			if (!sendsMail) throw noMail();
			const address = normalizeEmail(email);
			await sql.begin(async (tx) => {
				const [account] = await tx<{ id: number }[]>`select id from accounts where email = ${address}`;
				if (account !== undefined)
					await queueMail(tx, { purpose: "recover", accountId: account.id, address, at: now() });
			});
			return uncached({});
		},

		redeemKeyLink: async ({ token_sha256: tokenSha256, ...key }) =>
			uncached(await sql.begin((tx) => recoverKey(tx, { tokenSha256, key, at: now() }))),

		async describeAccount({ account_id }) {
			const reply = await jsonReply<Reply<"describeAccount">>(
				sql,
				sql`
				select json_build_object(
					'account', json_build_object('account_id', a.id, 'email', ${emailOf(sql)}, 'email_verified', a.email is not null,
						'name', a.name, ${limits(sql)}, 'created_at', iso(a.created_at)),
					'keys', (select coalesce(json_agg(json_build_object('key_id', id, 'hint', hint, 'daily_queries', daily_queries,
						'created_at', iso(created_at), 'expires_at', iso(expires_at), 'revoked_at', iso(revoked_at),
						'replaced_by', replaced_by) order by id), '[]') from keys where account_id = a.id),
					'connections', (select coalesce(json_agg(json_build_object('client_name', c.payload ->> 'client_name', 'key_id', g.key_id,
						'connected_at', iso(to_timestamp((g.payload ->> 'iat')::float8)), 'expires_at', iso(g.expires_at))
						order by g.payload ->> 'iat'), '[]')
						from keys k join oauth_records g on g.key_id = k.id and g.kind = 'Grant' and g.expires_at > ${now()}
						left join oauth_records c on c.kind = 'Client'
							and c.sha256 = encode(sha256(convert_to(g.payload ->> 'clientId', 'UTF8')), 'hex')
						where k.account_id = a.id and k.revoked_at is null),
					'usage', (select coalesce(json_agg(t order by day, operation), '[]') from (
						select (hour at time zone 'UTC')::date as day, operation, sum(requests) as requests, sum(counted) as counted
						from usage_hours where account_id = a.id group by 1, 2) t),
					'requests_total', (select count(*) from usage where account_id = a.id),
					'requests', (select coalesce(json_agg(t), '[]') from (
						select event_id as request_id, iso(occurred_at) as at, key_id, operation, status, counted from usage
						where account_id = a.id order by occurred_at desc, event_id limit ${maxExportedRequests}) t),
					'mails', (select coalesce(json_agg(json_build_object('purpose', purpose, 'email', address,
						'requested_at', iso(requested_at), 'sent_at', iso(sent_at)) order by id), '[]') from mails where account_id = a.id))
				from accounts a join plans p on p.name = a.plan where a.id = ${account_id} and a.deleted_at is null`,
			);
			if (reply === null) throw notFound("no such account");
			return reply;
		},

		async checkDeletion({ key_id, confirm }) {
			const [account] = await sql<{ email: string | null }[]>`
				select ${emailOf(sql)} as email from keys k join accounts a on a.id = k.account_id where k.id = ${key_id}`;
			if (confirm !== String(key_id) && normalizeEmail(confirm) !== account?.email)
				throw invalid([
					{ loc: ["query", "confirm"], msg: "must be the account's e-mail address or the key_id of this key" },
				]);
			return uncached({});
		},

		closeAccount: async ({ account_id }) => uncached(await sql.begin((tx) => closeAccount(tx, account_id, now()))),
	}) satisfies Partial<Handlers<"billing">>;
