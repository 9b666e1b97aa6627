/** Operations on the records of the gateway's authorization server. A record that belongs to a key ends with the key. */
import type { Handlers, Params, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { type Resources, uncached } from "../resources.ts";
import { grantOf, isLive, keysInFull } from "../tables/keys.ts";

export const oauthOperations = ({ sql, now }: Resources) =>
	({
		saveOauthRecords: async ({ consume, records }) => {
			const saved = await sql.begin(async (tx) => {
				const keyId = records[0]?.key_id ?? null;
				// Two concurrent requests would not count each other's records. A consent, too, locks the key before tokens.
				if (keyId !== null) await tx`select from keys where id = ${keyId} for no key update`;
				if (consume !== null && !(await markUsed(tx, consume, now()))) return isSaved(tx, records[0]);
				for (const record of records) await save(tx, record, now());
				return true;
			});
			return uncached({ saved });
		},

		readOauthRecord: ({ kind, sha256 }) =>
			oneJsonReply<Reply<"readOauthRecord">>(
				sql,
				sql`
				select json_build_object('record', (
					select json_build_object('payload', r.payload, 'consumed_at', iso(r.consumed_at)) from oauth_records r
					where r.kind = ${kind} and r.sha256 = ${sha256} and ${hasNotEnded(sql, now())}))`,
			),

		async deleteOauthRecord({ kind, sha256 }) {
			await sql`delete from oauth_records where kind = ${kind} and sha256 = ${sha256}`;
			return uncached({});
		},

		async endOauthGrant({ kind, grant_sha256 }) {
			await sql`delete from oauth_records where kind = ${kind} and grant_sha256 = ${grant_sha256}`;
			return uncached({});
		},

		resolveAccessToken: ({ sha256, resource }) =>
			oneJsonReply<Reply<"resolveAccessToken">>(
				sql,
				sql`
				select json_build_object('grant', (
					select ${grantOf(sql)} from oauth_records r join (${keysInFull(sql)}) on k.id = r.key_id
					where r.kind = 'AccessToken' and r.sha256 = ${sha256} and r.payload ->> 'aud' = ${resource}
						and exists (select from oauth_records g
							where g.kind = 'Grant' and g.sha256 = r.grant_sha256 and g.expires_at > ${now()})
						and ${hasNotEnded(sql, now())}))`,
			),
	}) satisfies Partial<Handlers<"billing">>;

type OAuthRecord = Params<"saveOauthRecords">["records"][number];
type RecordId = Pick<OAuthRecord, "kind" | "sha256">;

/** @returns false if the record was used before, perhaps by an earlier run of this request whose reply was lost, or no longer exists */
async function markUsed(tx: Transaction, { kind, sha256 }: RecordId, at: Date): Promise<boolean> {
	const { count } = await tx`
		update oauth_records set consumed_at = ${at} where kind = ${kind} and sha256 = ${sha256} and consumed_at is null`;
	return count === 1;
}

/** Whether this request was executed before and its reply was lost: no other request has the ids of its records. */
async function isSaved(tx: Transaction, record: RecordId | undefined): Promise<boolean> {
	if (record === undefined) return false;
	const { count } = await tx`select from oauth_records where kind = ${record.kind} and sha256 = ${record.sha256}`;
	return count === 1;
}

/** Maximum connections of a key, and tokens of a kind in a connection. Used refresh tokens are stored for 30 days: 720 if refreshed hourly. */
const maxRecords = { grants: 50, refreshTokens: 1_000, otherTokens: 200 };

/** Stores a record, and ends the oldest connections of its key, or deletes the oldest tokens of its connection, beyond the maximum. */
async function save(tx: Transaction, record: OAuthRecord, at: Date): Promise<void> {
	const { kind, sha256, payload, grant_sha256, client_sha256, key_id, seconds } = record;
	const expiresAt = new Date(at.getTime() + seconds * 1_000);
	await tx`
		insert into oauth_records (kind, sha256, payload, grant_sha256, key_id, expires_at)
		values (${kind}, ${sha256}, ${JSON.stringify(payload)}::text::jsonb, ${grant_sha256}, ${key_id}, ${expiresAt})
		on conflict (kind, sha256) do update set payload = excluded.payload, grant_sha256 = excluded.grant_sha256,
			key_id = excluded.key_id, expires_at = excluded.expires_at`;
	if (kind === "Grant") {
		await tx`
			update oauth_records set expires_at = greatest(expires_at, ${expiresAt})
			where kind = 'Client' and sha256 = ${client_sha256}`;
		await tx`
			delete from oauth_records where grant_sha256 in (
				select sha256 from oauth_records where kind = 'Grant' and key_id = ${key_id}
				order by expires_at desc offset ${maxRecords.grants})`;
	} else if (grant_sha256 !== null)
		await tx`
			delete from oauth_records where kind = ${kind} and sha256 in (
				select sha256 from oauth_records where kind = ${kind} and grant_sha256 = ${grant_sha256}
				order by expires_at desc offset ${kind === "RefreshToken" ? maxRecords.refreshTokens : maxRecords.otherTokens})`;
}

/** Whether neither the record `r` nor its key has ended. */
const hasNotEnded = (sql: Sql, at: Date): Fragment => sql`
	r.expires_at > ${at} and (r.key_id is null or exists (
		select from keys k where k.id = r.key_id and ${isLive(sql, at)}))`;
