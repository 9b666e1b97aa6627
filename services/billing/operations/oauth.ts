/** Operations on the records of the gateway's authorization server. A record that belongs to a key ends with the key. */
import type { Handlers, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { type Resources, uncached } from "../resources.ts";
import { grantOf, keyState, keysInFull } from "../tables/keys.ts";

export const oauthOperations = ({ sql, now }: Resources) =>
	({
		async saveOauthRecord({ kind, sha256, payload, grant_sha256, client_sha256, key_id, seconds }) {
			const expiresAt = new Date(now().getTime() + seconds * 1_000);
			await sql.begin(async (tx) => {
				await tx`
					insert into oauth_records (kind, sha256, payload, grant_sha256, key_id, expires_at)
					values (${kind}, ${sha256}, ${JSON.stringify(payload)}::text::jsonb, ${grant_sha256}, ${key_id}, ${expiresAt})
					on conflict (kind, sha256) do update set payload = excluded.payload, grant_sha256 = excluded.grant_sha256,
						key_id = excluded.key_id, expires_at = excluded.expires_at`;
				if (kind === "Grant")
					await tx`
						update oauth_records set expires_at = greatest(expires_at, ${expiresAt})
						where kind = 'Client' and sha256 = ${client_sha256}`;
			});
			return uncached({});
		},

		readOauthRecord: ({ kind, sha256 }) =>
			oneJsonReply<Reply<"readOauthRecord">>(
				sql,
				sql`
				select json_build_object('record', (
					select json_build_object('payload', r.payload, 'consumed_at', iso(r.consumed_at)) from oauth_records r
					where r.kind = ${kind} and r.sha256 = ${sha256} and ${isLive(sql, now())}))`,
			),

		async consumeOauthRecord({ kind, sha256 }) {
			const { count } = await sql`
				update oauth_records set consumed_at = ${now()}
				where kind = ${kind} and sha256 = ${sha256} and consumed_at is null`;
			return uncached({ consumed: count === 1 });
		},

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
						and ${isLive(sql, now())}))`,
			),
	}) satisfies Partial<Handlers<"billing">>;

/** Whether neither the record `r` nor its key has ended. */
const isLive = (sql: Sql, at: Date): Fragment => sql`
	r.expires_at > ${at} and (r.key_id is null or exists (
		select from keys k where k.id = r.key_id and ${keyState(sql, at)} in ('live', 'replaced')))`;
