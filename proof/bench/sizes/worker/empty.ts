// biome-ignore lint/style/noDefaultExport: where workerd looks for it
export default { fetch: () => Response.json({ ok: true }) };
