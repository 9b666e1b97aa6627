/** Users of Redis: the gateway, which may do nothing but limit, and perhaps an operator. */

export interface RedisPasswords {
	/** The gateway's. */
	password: string;
	/** Password of the user `operator`, who may do everything; without one it cannot log in. */
	operatorPassword?: string;
}

/** The limiter's scripts need these, and the client needs the last three to find out whether the server is ready. */
const commands = [
	...["eval", "evalsha", "time", "del", "expire", "pexpire"],
	...["zadd", "zcard", "zrange", "zremrangebyscore", "hget", "hmget", "hset", "hincrby"],
	...["hello", "ping", "info"],
];

/** Lines of Redis' configuration. What is not allowed here is refused: other keys, KEYS, FLUSHALL, CONFIG, clients without a password. */
export const renderRedisUsers = ({ password, operatorPassword }: RedisPasswords): string =>
	[
		"user default off",
		`user gateway on >${password} ~limit:* ${commands.map((command) => `+${command}`).join(" ")}`,
		...(operatorPassword === undefined
			? []
			: [`user operator on >${operatorPassword} allkeys allchannels allcommands`]),
	].join("\n");
