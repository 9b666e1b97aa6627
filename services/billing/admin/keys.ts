/**
 * The operator's command line for keys and accounts, against the running system's database:
 *
 *   npm run admin -- keys list | show | issue | upgrade | rotate | revoke ...     (without arguments: prints their usage)
 *
 * A change writes its events to the outbox in the same transaction; the running billing service publishes them to every gateway.
 * Exit code: 0, or 1 for wrong arguments, an impossible operation, or a failure of the system.
 */
import { planNames } from "#libs/contract/vocabulary.ts";
import { runProgram } from "#libs/service/program.ts";
import { runCommand } from "./commands/command-line.ts";
import { commands } from "./commands/key-commands.ts";

const notes = `PLAN is one of ${planNames.join(", ")}. A HINT is the beginning and end of a key, as lists show it: pk_Ab12...9xYz.`;

export const run = (args: string[], env: NodeJS.ProcessEnv, now = () => new Date()): Promise<number> =>
	runCommand({ name: "keys", commands, notes }, args, env, now);

if (import.meta.main) await runProgram("keys", run);
