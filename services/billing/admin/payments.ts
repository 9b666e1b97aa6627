/**
 * The operator's view of payments and prepaid credits, in the running system's database, without hashes of secrets or stored credentials:
 *
 *   npm run admin -- payments list | show | credits ...     (without arguments: prints their usage)
 *
 * Exit code: 0, or 1 for wrong arguments, an impossible operation, or a failure of the system.
 */
import { conflict } from "#libs/contract/errors.ts";
import { choice, integer } from "#libs/contract/params.ts";
import { paymentStates, railNames } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { runProgram } from "#libs/service/program.ts";
import {
	type Action,
	type Command,
	findByHint,
	isId,
	onlyMatch,
	printFields,
	printTable,
	readArguments,
	readOption,
	readOptional,
	runCommand,
} from "./commands/command-line.ts";

type Row = Record<string, unknown>;

export const commands: Readonly<Record<string, Command>> = {
	list: {
		usage: "list [--state STATE] [--rail RAIL] [--limit N]",
		description: "the newest payments (50)",
		read: list,
	},
	show: {
		usage: "show ID|REFERENCE|REQUEST",
		description: "a payment",
		read: show,
	},
	credits: {
		usage: "credits ID|HINT [--void]",
		description: "the balance of a credit token and its latest entries; --void cancels the balance permanently",
		read: credits,
	},
};

function list(args: string[]): Action {
	const { values } = readArguments(args, { options: ["state", "rail", "limit"] });
	const state = readOptional("state", choice(paymentStates), values.state);
	const rail = readOptional("rail", choice(railNames), values.rail);
	const limit = readOption("limit", integer(1, 1_000), values.limit ?? "50");
	return async (sql) => {
		const chosen = sql`(${state}::text is null or state = ${state}) and (${rail}::text is null or rail = ${rail})`;
		const rows = await sql<Row[]>`
			select id, rail, state, ${usd(sql, sql`amount_micro_usd`)} as usd, operation, iso(claimed_at) as claimed,
				iso(delivered_at) as delivered, reference
			from payments where ${chosen} order by id desc limit ${limit}`;
		const [all] = await sql<{ count: number }[]>`select count(*) from payments where ${chosen}`;
		const columns = ["id", "rail", "state", "usd", "operation", "claimed", "delivered", "reference"];
		return `${printTable(columns, rows)}\n${rows.length} of ${all?.count} payments`;
	};
}

function show(args: string[]): Action {
	const { argument } = readArguments(args, { positional: "ID, REFERENCE or REQUEST" });
	return async (sql) => {
		const id = await findPayment(sql, argument);
		const [payment] = await sql<Row[]>`
			select p.id, p.rail, p.network, p.state, ${usd(sql, sql`p.amount_micro_usd`)} as usd, p.operation, p.payer, p.nonce,
				p.identifier as "payer's name for it", p.reference, p.request_id as request, iso(p.claimed_at) as claimed,
				iso(p.settling_at) as "settling since", iso(p.finished_at) as finished, iso(p.delivered_at) as delivered,
				p.deliveries as "redeliveries", p.attempts as "status checks", iso(p.leased_until) as "leased until",
				(select iso(kept_at) from paid_answers a where a.payment_id = p.id) as "response cached",
				(select c.id || ' ' || c.hint from credits c where c.id = p.credits_id) as credits,
				(select iso(at) from credit_entries e where e.payment_id = p.id and e.kind = 'refund') as refunded
			from payments p where p.id = ${id}`;
		return printFields({ ...payment });
	};
}

function credits(args: string[]): Action {
	const { argument, flags } = readArguments(args, { positional: "ID or HINT", flags: ["void"] });
	return (sql, at) =>
		sql.begin(async (tx) => {
			const id = await findByHint(tx, "credits", argument);
			if (flags.has("void")) await voidCredits(tx, id, at);
			const [token] = await tx<Row[]>`
				select c.id, c.hint, iso(c.created_at) as created, ${usd(tx, sumOfEntries(tx, "purchase"))} as "usd bought",
					${usd(tx, tx`-(${sumOfEntries(tx, "debit")})`)} as "usd debited", ${usd(tx, sumOfEntries(tx, "refund"))} as "usd refunded",
					${usd(tx, tx`-(${sumOfEntries(tx, "void")})`)} as "usd voided", ${usd(tx, tx`c.balance_micro_usd`)} as "usd balance"
				from credits c where c.id = ${id}`;
			const rows = await tx<Row[]>`
				select iso(at) as at, kind, ${usd(tx, tx`amount_micro_usd`)} as usd, payment_id as payment, payment_intent as intent
				from credit_entries where credits_id = ${id} order by credit_entries.id desc limit 20`;
			const entries =
				rows.length === 0 ? "no entries yet" : printTable(["at", "kind", "usd", "payment", "intent"], rows);
			return `${printFields({ ...token })}\n\n${entries}`;
		});
}

/** Sets the balance to zero. Later refunds raise it again. */
async function voidCredits(tx: Transaction, id: number, at: Date): Promise<void> {
	const [held] = await tx<{ balance: number }[]>`
		select balance_micro_usd as balance from credits where id = ${id} for update`;
	if (held === undefined || held.balance === 0) throw conflict("the balance of these credits is zero already");
	await tx`insert into credit_entries (credits_id, kind, amount_micro_usd, at) values (${id}, 'void', ${-held.balance}, ${at})`;
	await tx`update credits set balance_micro_usd = 0 where id = ${id}`;
}

const sumOfEntries = (tx: Transaction, kind: "purchase" | "debit" | "refund" | "void"): Fragment => tx`
	(select coalesce(sum(amount_micro_usd), 0) from credit_entries e where e.credits_id = c.id and e.kind = ${kind})`;

const usd = (sql: Sql | Transaction, microUsd: Fragment): Fragment =>
	sql`to_char(${microUsd} / 1e6, 'FM9999999990.009999')`;

/** @throws AppError 404; 409 if several payments have the reference */
async function findPayment(sql: Sql, named: string): Promise<number> {
	const chosen = isId(named) ? sql`id = ${Number(named)}` : sql`reference = ${named} or request_id = ${named}`;
	const found = await sql<{ id: number }[]>`select id from payments where ${chosen} order by id desc limit 10`;
	return onlyMatch(found, "payment", "id, reference or request");
}

const notes = `STATE is one of ${paymentStates.join(", ")}; RAIL one of ${railNames.join(", ")}. A REFERENCE is a transaction's hash or
the processor's id, a REQUEST the id by which gateways log a request. A HINT is the part of a credit token by which it is listed:
cr_Ab12...9xYz.`;

export const run = (args: string[], env: NodeJS.ProcessEnv, now = () => new Date()): Promise<number> =>
	runCommand({ name: "payments", commands, notes }, args, env, now);

if (import.meta.main) await runProgram("payments", run);
