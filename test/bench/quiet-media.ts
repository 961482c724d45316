/** Import this before rtc-node, which otherwise writes each of its steps to standard output. */
process.env['NODE_ENV'] ??= 'production';
