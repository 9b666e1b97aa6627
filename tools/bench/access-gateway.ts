/**
 * The gateway as its main program starts it, with settings from the environment, and one thing more. The argument is JSON: `{"bare":
 * PORT}` also listens there without authorization, which is what it is compared with; `{"wallet": ADDRESS}` puts a facilitator into this
 * process, and gives the wallet a million dollars that are none.
 */

import type { Address } from "viem";
import { connectBus } from "#libs/bus/connect.ts";
import { runService } from "#libs/service/run-service.ts";
import { type Access, openAccess } from "../../services/gateway/access.ts";
import { buildApp } from "../../services/gateway/app.ts";
import { configSchema } from "../../services/gateway/config.ts";
import type { FacilitatorClient } from "../../services/gateway/payments/rails/x402/facilitator.ts";

const { bare, wallet } = JSON.parse(process.argv[2] ?? "{}") as { bare?: number; wallet?: Address };

await runService({
	name: "gateway",
	config: configSchema,
	async start({ config, log, open }) {
		const login = config.NATS_USER !== undefined && { user: config.NATS_USER, password: config.NATS_PASSWORD ?? "" };
		const bus = open(await connectBus({ url: config.NATS_URL, ...login, name: "gateway", log }));
		const facilitator = wallet === undefined ? undefined : await facilitatorFor(wallet, config.X402_NETWORK);
		const access = open(await openAccess({ bus, config, log, facilitator }));
		const listen = async (access: Access, port: number, settings = config) => {
			const app = buildApp({ bus, access, config: settings, log });
			open({ [Symbol.asyncDispose]: () => app.close() });
			await app.listen({ host: config.HOST, port });
		};
		await listen(access, config.PORT);
		if (bare !== undefined) await listen(withoutAccess(access), bare, { ...config, KEYLESS: "open" });
	},
});

/** Every caller is authorized, and nothing is recorded. */
function withoutAccess(access: Access): Access {
	const anonymous = { kind: "anonymous", address: "127.0.0.1", loopback: true } as const;
	const nothing = async () => {};
	const keys = { callerOf: () => anonymous } as unknown as Access["keys"];
	return {
		...access,
		keys,
		rates: {
			costly: nothing,
			rate: nothing,
			quota: nothing,
			countQuery: async () => true,
			giveBack() {},
			giveBackRows() {},
			free: nothing,
			unread: nothing,
		},
		usage: { ...access.usage, hasRoom: true, waiting: 0, record() {} },
	};
}

/** Loaded where it is needed: a gateway without rails does not hold these packages either. */
async function facilitatorFor(owner: Address, network: string): Promise<FacilitatorClient> {
	const { createToken } = await import("../../test/support/payments/token.ts");
	const { inProcessFacilitator } = await import("../../test/support/payments/facilitator.ts");
	const token = createToken({ network: network as `${string}:${string}` });
	token.mint(owner, 1_000_000_000_000n);
	return inProcessFacilitator(token);
}
