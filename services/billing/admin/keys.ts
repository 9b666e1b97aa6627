/**
 * The operator's command line for keys and accounts, against the running system's database:
 *
 *   npm run admin -- keys list | show | issue | upgrade | rotate | revoke ...     (without arguments: prints their usage)
 *
 * A change writes its events to the outbox in the same transaction; the running billing service publishes them to every gateway. Only the output
 * of `issue` and `rotate` contains a secret: that of the new key.
 * Exit code: 0, or 1 for wrong arguments, an impossible operation, or a failure of the system.
 */
import { z } from "zod";
import { badRequest, conflict } from "#libs/contract/errors.ts";
import { digestOf, hintOf, makeSecret } from "#libs/contract/key.ts";
import { choice, integer, words } from "#libs/contract/params.ts";
import { planNames } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { runProgram } from "#libs/service/program.ts";
import {
	type Account,
	type Agreement,
	changePlan,
	emailOf,
	issueFurtherKey,
	lockAccount,
	normalizeEmail,
	openAccount,
	replaceKey,
	revokeKey,
} from "../tables/accounts.ts";
import { type Issued, isLive, keyState, keysInFull, readLiveKeys } from "../tables/keys.ts";
import {
	type Action,
	type Command,
	findByHint,
	printFields,
	printTable,
	readArguments,
	readOption,
	readOptional,
	runCommand,
} from "./commands/command-line.ts";

const emailSchema = z.string().trim().pipe(z.email("must be an e-mail address").max(254, "is too long"));
const planSchema = choice(planNames);
/** Largest `integer` of PostgreSQL. */
const largestInteger = 2_147_483_647;

export const commands: Readonly<Record<string, Command>> = {
	list: {
		usage: "list [--email ADDRESS] [--plan PLAN] [--limit N]",
		description: "the newest keys (50), with the queries that their account has used this month",
		read: list,
	},
	show: { usage: "show ID|HINT", description: "a key and its account", read: show },
	issue: {
		usage: "issue --email ADDRESS [--name NAME] [--plan PLAN] | --key ID|HINT  [--revoke-others]",
		description:
			"issues a key and shows it once: for a new account, or as a further key (or the only one) of an existing account",
		read: issue,
	},
	upgrade: {
		usage: "upgrade --email ADDRESS | --key ID|HINT  --plan PLAN [--per-minute N] [--monthly N] [--yes]",
		description:
			"changes the plan; without --per-minute and --monthly, the limits of the plan apply, not those agreed before",
		read: upgrade,
	},
	rotate: {
		usage: "rotate ID|HINT [--grace SECONDS]",
		description:
			"replaces a key and shows the new one once; the old one works for SECONDS more (86400; at most 604800, a week)",
		read: rotate,
	},
	revoke: { usage: "revoke ID|HINT", description: "revokes a key at once, permanently", read: revoke },
};

function list(args: string[]): Action {
	const { values } = readArguments(args, { options: ["email", "plan", "limit"] });
	const email = values.email === undefined ? null : normalizeEmail(readOption("email", emailSchema, values.email));
	const plan = readOptional("plan", planSchema, values.plan);
	const limit = readOption("limit", integer(1, 1_000), values.limit ?? "50");
	return async (sql, at) => {
		const chosen = sql`(${email}::text is null or ${emailOf(sql)} = ${email}) and (${plan}::text is null or a.plan = ${plan})`;
		const rows = await sql<Record<string, unknown>[]>`
			select k.id, k.hint, ${emailOf(sql)} as email, a.id as account, a.plan, ${keyState(sql, at)} as state, iso(k.created_at) as created, ${usedThisMonth(sql, at)} as used
			from ${keysInFull(sql)} where ${chosen} order by k.id desc limit ${limit}`;
		const [all] = await sql<{ count: number }[]>`select count(*) from ${keysInFull(sql)} where ${chosen}`;
		return `${printTable(["id", "hint", "email", "account", "plan", "state", "created", "used"], rows)}\n${rows.length} of ${all?.count} keys`;
	};
}

function show(args: string[]): Action {
	const { argument } = readArguments(args, { positional: "ID or HINT" });
	return async (sql, at) => {
		const id = await findByHint(sql, "keys", argument);
		const [key] = await sql<Record<string, unknown>[]>`
			select k.id, k.hint, ${keyState(sql, at)} as state, iso(k.created_at) as created, iso(k.expires_at) as "works until",
				k.replaced_by as "replaced by", iso(k.revoked_at) as revoked, a.id as account, ${emailOf(sql)} as email, a.name, a.plan,
				coalesce(a.monthly_queries, p.monthly_queries) as "queries a month", coalesce(a.per_minute, p.per_minute) as "requests a minute",
				${usedThisMonth(sql, at)} as "used this month",
				(select string_agg(o.id::text, ', ' order by o.id) from keys o where o.account_id = a.id and o.id <> k.id) as "other keys"
			from ${keysInFull(sql)} where k.id = ${id}`;
		return printFields({
			...key,
			"queries a month": key?.["queries a month"] ?? "unlimited",
			"requests a minute": key?.["requests a minute"] ?? "unlimited",
		});
	};
}

function issue(args: string[]): Action {
	const { values, flags } = readArguments(args, {
		options: ["email", "key", "name", "plan"],
		flags: ["revoke-others"],
	});
	const { email, key: named } = readAccountOption(values);
	const name = readOptional("name", words(1, 100), values.name);
	const plan = readOptional("plan", planSchema, values.plan);
	const forNew = name !== null || plan !== null;
	return async (sql, at) => {
		const secret = makeSecret("pk_");
		const key = { sha256: digestOf(secret), hint: hintOf(secret) };
		const issued = await sql.begin(async (tx) => {
			const opening = { name, plan: plan ?? "Free", evenIfRegistered: forNew, key, at };
			const opened = email === undefined ? undefined : await openAccount(tx, { email, ...opening });
			if (opened !== undefined) return { ...opened, revoked: [] };
			if (forNew)
				throw conflict(
					"this account already exists: omit --name and --plan to issue a further key, or use upgrade to change its plan",
				);
			const accountRef = email === undefined ? { keyId: await findByHint(tx, "keys", named) } : { email };
			if (email !== undefined) await requireVerified(tx, await lockAccount(tx, accountRef), at);
			return await issueFurtherKey(tx, { accountRef, key, revokeOthers: flags.has("revoke-others"), at });
		});
		const revoked = issued.revoked.map(({ hint }) => hint).join(", ");
		return printNewKey(secret, issued, revoked === "" ? {} : { revoked });
	};
}

/** An account with an unverified address must be named by a key, which shows that it is the customer's. @throws AppError 409 */
async function requireVerified(tx: Transaction, account: Account, at: Date): Promise<void> {
	if (account.is_verified) return;
	throw conflict(`The account of ${account.email} comes from /register, which does not verify e-mail addresses: a stranger may hold it.

${await printLiveKeys(tx, account, at)}

Ask the customer for the hint of their key, and name the account by it: \`issue --key HINT\`.
\`issue --email ${account.email} --plan Free\` opens an account of its own.`);
}

function upgrade(args: string[]): Action {
	const options = ["email", "key", "plan", "per-minute", "monthly"] as const;
	const { values, flags } = readArguments(args, { options, flags: ["yes"] });
	const { email, key: named } = readAccountOption(values);
	const to = {
		plan: readOption("plan", planSchema, values.plan),
		perMinute: readOptional("per-minute", integer(1, largestInteger), values["per-minute"]),
		monthlyQueries: readOptional("monthly", integer(0, largestInteger), values.monthly),
	};
	return async (sql, at) => {
		return await sql.begin(async (tx) => {
			const accountRef = email === undefined ? { keyId: await findByHint(tx, "keys", named) } : { email };
			const account = await lockAccount(tx, accountRef);
			const keys = await printLiveKeys(tx, account, at);
			if (!flags.has("yes")) await refuseUnsafeUpgrade(tx, { account, to, byAddress: email !== undefined, keys, at });
			const done = await changePlan(tx, accountRef, to, at);
			const plan = `${to.plan} (was ${account.plan})`;
			return `${printFields({ email: account.email, plan, ...limitFields(done), "keys published": done.keys })}\n\n${keys}`;
		});
	};
}

interface UpgradeCheck {
	account: Account;
	to: Agreement;
	/** Whether the account was named by its address, not by a key that the customer has. */
	byAddress: boolean;
	keys: string;
	at: Date;
}

/** Refuses an upgrade if a key of the account, to all of which the plan applies, may be a stranger's. @throws AppError 409 */
async function refuseUnsafeUpgrade(tx: Transaction, { account, to, byAddress, keys, at }: UpgradeCheck): Promise<void> {
	const isUpgrade = to.plan !== "Free" || to.monthlyQueries !== null || to.perMinute !== null;
	if (!account.is_free || !isUpgrade) return;
	const live = await readLiveKeys(tx, account.id, at);
	const reasons = [
		live.length > 1 ? "several keys are valid, and each of them would get the plan" : "",
		byAddress && live.some(({ registered }) => registered)
			? "a key comes from /register, which does not verify e-mail addresses: a stranger may hold it"
			: "",
	].filter((reason) => reason !== "");
	if (reasons.length > 0)
		throw conflict(`${account.email} stays on its plan: ${reasons.join("; ")}.

${keys}

Ask the customer for the hint of their key. With --yes all these keys get the plan; \`issue --key ${live[0]?.id} --revoke-others\`
issues a key for the customer and revokes these.`);
}

async function printLiveKeys(tx: Transaction, { id }: Account, at: Date): Promise<string> {
	const rows = await tx<Record<string, unknown>[]>`
		select k.id, k.hint, case when registered then 'register' else 'operator' end as from, iso(k.created_at) as created,
			coalesce(iso((select max(occurred_at) from usage u where u.account_id = k.account_id and u.key_id = k.id)), 'never') as "last used"
		from keys k where account_id = ${id} and ${isLive(tx, at)} order by k.id`;
	return rows.length === 0 ? "no key is valid" : printTable(["id", "hint", "from", "created", "last used"], rows);
}

function rotate(args: string[]): Action {
	const { argument, values } = readArguments(args, { options: ["grace"], positional: "ID or HINT" });
	const graceSeconds = readOption("grace", integer(0, 604_800), values.grace ?? "86400");
	return async (sql, at) => {
		const secret = makeSecret("pk_");
		const newKey = { sha256: digestOf(secret), hint: hintOf(secret) };
		const { replaces, old_key_works_until, ...issued } = await sql.begin(async (tx) =>
			replaceKey(tx, { keyId: await findByHint(tx, "keys", argument), newKey, graceSeconds, at }),
		);
		return printNewKey(secret, issued, { replaces, "which works until": old_key_works_until });
	};
}

function revoke(args: string[]): Action {
	const { argument } = readArguments(args, { positional: "ID or HINT" });
	return async (sql, at) => {
		const { hint, revoked_at } = await sql.begin(async (tx) =>
			revokeKey(tx, await findByHint(tx, "keys", argument), at),
		);
		return printFields({ hint, revoked: revoked_at });
	};
}

/** Reads the option that names an account: its address, or one of its keys if the address is undefined. @throws AppError 400 */
function readAccountOption({ email, key }: { email?: string; key?: string }): {
	email: string | undefined;
	key: string;
} {
	if ((email === undefined) === (key === undefined)) throw badRequest("name the account by either --email or --key");
	return { email: email === undefined ? undefined : readOption("email", emailSchema, email), key: key ?? "" };
}

/** Queries of account `a` in the month of `at` that count against its quota. */
const usedThisMonth = (sql: Sql, at: Date): Fragment => sql`
	(select coalesce(sum(counted), 0) from usage_hours u where u.account_id = a.id
		and u.hour >= date_trunc('month', ${at}::timestamptz) and u.hour < date_trunc('month', ${at}::timestamptz) + interval '1 month')`;

const printNewKey = (secret: string, issued: Issued, more: Record<string, unknown> = {}): string =>
	`${printFields({ key: secret, id: issued.key_id, account: issued.account_id, plan: issued.plan, ...limitFields(issued), ...more })}
The key is shown only once: only its SHA-256 is stored.`;

const limitFields = ({ monthly_queries, per_minute }: Pick<Issued, "monthly_queries" | "per_minute">) => ({
	"queries a month": monthly_queries ?? "unlimited",
	"requests a minute": per_minute ?? "unlimited",
});

const notes = `PLAN is one of ${planNames.join(", ")}. A HINT is the beginning and end of a key, as lists show it: pk_Ab12...9xYz.`;

export const run = (args: string[], env: NodeJS.ProcessEnv, now = () => new Date()): Promise<number> =>
	runCommand({ name: "keys", commands, notes }, args, env, now);

if (import.meta.main) await runProgram("keys", run);
