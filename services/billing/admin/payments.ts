/**
 * The operator's view of payments and prepaid credits, in the running system's database:
 *
 *   npm run admin -- payments list | show | credits ...     (without arguments: prints their usage)
 *
 * Exit code: 0, or 1 for wrong arguments, an impossible operation, or a failure of the system.
 */
import { paymentStates, railNames } from "#libs/contract/vocabulary.ts";
import { runProgram } from "#libs/service/program.ts";
import { runCommand } from "./commands/command-line.ts";
import { commands } from "./commands/payment-commands.ts";

const notes = `STATE is one of ${paymentStates.join(", ")}; RAIL one of ${railNames.join(", ")}. A REFERENCE is a transaction's hash or
the processor's id, a REQUEST the id by which gateways log a request. A HINT is the part of a credit token by which it is listed:
cr_Ab12...9xYz.`;

export const run = (args: string[], env: NodeJS.ProcessEnv, now = () => new Date()): Promise<number> =>
	runCommand({ name: "payments", commands, notes }, args, env, now);

if (import.meta.main) await runProgram("payments", run);
