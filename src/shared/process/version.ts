import software from '../../../package.json' with { type: 'json' };

export const SOFTWARE_VERSION = software.version;
